// The left of the page: where the robots.txt comes from, the editor, and what the linter finds.

import { call, isLocal, sentenceOf, type About } from "./api.ts";
import { fromBase64 } from "./base64.ts";
import { code, el, fill, newId } from "./dom.ts";
import { RobotsEditor } from "./editor.ts";
import { EncodingNote } from "./encoding-note.ts";
import { acceptDrops, chooseFile, readText } from "./files.ts";
import { Findings } from "./findings.ts";
import { Notice } from "./notice.ts";
import { SiteNote } from "./site-note.ts";
import { decodeText, version } from "./source.ts";
import { START, current, update, type State } from "./state.ts";
import { timeline, type Fetch } from "./timeline.ts";
import { count } from "./words.ts";

interface FetchAnswer extends Fetch {
    body?: string | null;
    /** In the place of `body` if it is not UTF-8. */
    body_b64?: string;
    origin: string;
    end: string;
    status: number | null;
    outcome: string;
    policy: string;
    body_kind: string | null;
}

/** A file as the editor shows it, with its bytes in base64 if they are not UTF-8. */
interface Shown {
    text: string;
    base64: string;
}

export class FilePane {
    readonly element: HTMLElement;
    readonly editor: RobotsEditor;
    readonly #notice = new Notice();
    readonly #steps = el("div", {});
    readonly #site = new SiteNote();
    readonly #encoding = new EncodingNote("robots", "This file");
    readonly #findings: Findings;
    readonly #dialect: HTMLSelectElement;
    readonly #dialectHint = el("p", { class: "hint" });
    readonly #about: About;

    constructor(about: About, onLine: (line: number | null) => void) {
        this.#about = about;
        const dialectId = newId("dialect");
        this.#dialect = el(
            "select",
            { id: dialectId, onchange: () => update({ dialect: this.#dialect.value }) },
            ...about.dialects.map(({ name }) => el("option", { value: name }, name)),
        );
        const box = el("div", { class: "editor" });
        this.#findings = new Findings(() => this.editor);
        this.element = el(
            "section",
            { class: "file", "aria-label": "The robots.txt" },
            el(
                "div",
                { class: "bar" },
                el("h2", {}, "robots.txt"),
                el("button", { type: "button", class: "quiet", onclick: () => chooseFile((file) => void this.#open(file)) }, "Open…"),
                el(
                    "button",
                    { type: "button", class: "quiet", onclick: () => this.#replace(utf8(START.robots), "", utf8(START.before)) },
                    "Example",
                ),
                el(
                    "button",
                    {
                        type: "button",
                        class: "quiet",
                        onclick: () => {
                            this.#replace(utf8(""), "");
                            this.editor.focus();
                        },
                    },
                    "Clear",
                ),
            ),
            about.fetch ? this.#fetchForm() : this.#fetchHint(),
            this.#notice.element,
            this.#steps,
            this.#site.element,
            this.#encoding.element,
            box,
            el("div", { class: "bar" }, el("label", { for: dialectId }, "Read as"), this.#dialect, this.#dialectHint),
            this.#findings.element,
        );
        this.editor = new RobotsEditor(box, current().robots, {
            onText: (text, isWhole) => {
                if (isWhole) {
                    this.#replace(utf8(text), "");
                } else {
                    update({ robots: text, unread: "" });
                }
            },
            onLine,
        });
        acceptDrops(this.element, (file) => void this.#open(file));
    }

    refresh(changed: ReadonlySet<keyof State> | "all"): void {
        const { robots, dialect } = current();
        if (changed === "all" || changed.has("robots") || changed.has("dialect")) {
            this.editor.setText(robots);
            this.#dialect.value = dialect;
            this.#dialectHint.textContent = this.#about.dialects.find(({ name }) => name === dialect)?.description ?? "";
            this.#findings.ask();
        }
        if (changed === "all" || changed.has("robots") || changed.has("robotsBytes")) {
            this.#encoding.refresh();
        }
        this.#site.refresh();
    }

    /** Shows another file. `before` is what Compare starts from, `site` where it was fetched. */
    #replace(file: Shown, notice: string, before = file, site = ""): void {
        update({ ...opened(file, before), site });
        fill(this.#steps);
        this.#notice.say(notice);
    }

    /** Says that a fetch failed. The answers by the text of before go: a person asked for those of a site. */
    #unread(sentence: string): void {
        update({ unread: sentence });
        this.#notice.say(`${sentence} The text below is as it was.`, true);
    }

    async #open(file: File): Promise<void> {
        try {
            const read = await readText(file);
            this.#replace(read, `This is ${read.name}.`);
        } catch (error) {
            this.#notice.fail(error);
        }
    }

    /** Returns how to fetch sites: for the person who started the server, who sits at the same machine. */
    #fetchHint(): HTMLElement | null {
        if (isLocal()) {
            return el(
                "p",
                { class: "hint" },
                "All is answered in this browser, and nothing leaves it: this page fetches no site and opens no pack. ",
                code("robotsc serve"),
                " does.",
            );
        }
        if (!["127.0.0.1", "localhost", "[::1]"].includes(location.hostname)) {
            return null;
        }
        return el(
            "p",
            { class: "hint" },
            "To fetch the file of a site here, start the server with ",
            code("--user-agent"),
            ".",
        );
    }

    #fetchForm(): HTMLElement {
        const id = newId("site");
        const site = el("input", {
            id,
            type: "text",
            inputmode: "url",
            spellcheck: "false",
            autocapitalize: "off",
            autocomplete: "off",
            placeholder: "https://shop.example",
        });
        const button = el("button", { type: "submit" }, "Fetch");
        const submit = async (event: Event) => {
            event.preventDefault();
            const wanted = site.value.trim();
            if (wanted === "") {
                this.#notice.say("Write the site whose robots.txt you want, such as https://shop.example.", true);
                site.focus();
                return;
            }
            button.disabled = true;
            fill(this.#steps);
            this.#notice.say(`Fetching the robots.txt of ${shownSite(wanted)}…`);
            try {
                const origin = wanted.includes("://") ? wanted : `https://${wanted}`;
                this.#fetched(await call<FetchAnswer>("/v1/fetch", { site: origin }));
            } catch (error) {
                this.#unread(`${shownSite(wanted)} could not be fetched: ${sentenceOf(error)}.`);
            } finally {
                button.disabled = false;
            }
        };
        return el(
            "form",
            { class: "fetch", onsubmit: (event: Event) => void submit(event) },
            el("label", { for: id }, "From a site"),
            site,
            button,
        );
    }

    #fetched(answer: FetchAnswer): void {
        const redirects = answer.hops.length > 1 ? ` after ${count(answer.hops.length - 1, "redirect")}` : "";
        const meaning =
            {
                rules: "",
                "allow-all": " Crawlers may fetch everything.",
                "disallow-all": " Crawlers may fetch nothing until it answers again.",
                unknown: " Crawlers do not know what they may fetch.",
            }[answer.policy] ?? "";
        const file =
            answer.body_b64 !== undefined
                ? decodeText(fromBase64(answer.body_b64))
                : typeof answer.body === "string"
                  ? utf8(answer.body)
                  : null;
        if (file !== null && answer.policy === "rules") {
            const kind = kindOf(answer.body_kind);
            this.#replace(file, `Fetched from ${answer.origin}${redirects}.${kind}`, file, answer.origin);
        } else {
            const end = answer.status === null ? (answer.problem ?? answer.end) : `status ${answer.status}`;
            this.#unread(`${answer.origin} has no robots.txt to read: ${end}${redirects}.${meaning}`);
        }
        fill(this.#steps, timeline(answer, answer.policy !== "rules" || answer.hops.length > 1));
    }
}

/** Returns what a body is if it is no robots.txt. */
function kindOf(kind: string | null): string {
    if (kind === null || kind === "robots") {
        return "";
    }
    const words: Record<string, string> = {
        html: "a page of HTML",
        "one-line": "one line with several directives",
        text: "text without a directive",
        pdf: "a PDF",
        image: "an image",
        binary: "binary data",
    };
    return ` It is ${words[kind] ?? `data of the kind ${kind}`}, no robots.txt: crawlers find no rule in it.`;
}

/** Returns a site as a sentence names it: user information can be a password. */
function shownSite(wanted: string): string {
    return wanted.replace(/^([a-z]+:)?([/\\]*)[^/\\]*@/i, "$1$2");
}

function utf8(text: string): Shown {
    return { text, base64: "" };
}

/** Returns the part of the state that a new file replaces. */
function opened(file: Shown, before = file): Partial<State> {
    return { ...version("robots", file), ...version("before", before) };
}
