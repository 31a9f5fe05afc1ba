// The pages of lints, which are Markdown: headings, paragraphs, lists, tables, code blocks, code, links. They come from
// the server's own files. All else is shown as it is written.

import { code, el } from "./dom.ts";

/** Returns the elements of a page. */
export function markdown(text: string): HTMLElement[] {
    const blocks: HTMLElement[] = [];
    const lines = text.split("\n");
    let at = 0;
    while (at < lines.length) {
        const line = lines[at] ?? "";
        const heading = /^(#+) (.*)$/.exec(line);
        if (line.startsWith("```")) {
            const start = at + 1;
            at = start;
            while (at < lines.length && !lines[at]?.startsWith("```")) {
                at += 1;
            }
            blocks.push(el("pre", { tabindex: 0 }, code(lines.slice(start, at).join("\n"))));
            at += 1;
        } else if (heading !== null) {
            blocks.push(el(heading[1]?.length === 1 ? "h2" : "h3", {}, ...inline(heading[2] ?? "")));
            at += 1;
        } else if (line.trim() === "") {
            at += 1;
        } else {
            const start = at;
            while (at < lines.length && !/^($|#|```)/.test((lines[at] ?? "").trim())) {
                at += 1;
            }
            blocks.push(block(lines.slice(start, at)));
        }
    }
    return blocks;
}

function block(lines: string[]): HTMLElement {
    if (lines[0]?.startsWith("|")) {
        const rows = lines.filter((line) => !/^\|[-| :]+\|$/.test(line)).map((line) => line.slice(1, -1).split("|"));
        const [head = [], ...body] = rows;
        return el(
            "table",
            {},
            el("thead", {}, el("tr", {}, ...head.map((cell) => el("th", { scope: "col" }, ...inline(cell.trim()))))),
            el("tbody", {}, ...body.map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, ...inline(cell.trim())))))),
        );
    }
    if (/^[-*] /.test(lines[0] ?? "")) {
        const items = lines.join("\n").split(/^[-*] /m).slice(1);
        return el("ul", {}, ...items.map((item) => el("li", {}, ...inline(item.replaceAll("\n", " ")))));
    }
    return el("p", {}, ...inline(lines.join(" ")));
}

/** Returns text with code and links. Only pages of the web are linked. */
function inline(text: string): (string | HTMLElement)[] {
    const parts: (string | HTMLElement)[] = [];
    let end = 0;
    for (const match of text.matchAll(/`([^`]+)`|\[([^\]]+)\]\(([^)]+)\)/g)) {
        parts.push(text.slice(end, match.index));
        const [whole, quoted, title, address] = match;
        if (quoted !== undefined) {
            parts.push(code(quoted));
        } else if (address?.startsWith("https://") && title !== undefined) {
            parts.push(el("a", { href: address, rel: "noreferrer", target: "_blank" }, title));
        } else {
            parts.push(title ?? whole);
        }
        end = match.index + whole.length;
    }
    parts.push(text.slice(end));
    return parts;
}
