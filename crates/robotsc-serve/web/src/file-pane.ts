// The left of the page: where the robots.txt comes from, the editor, and what the linter finds.

import { call, type About } from "./api.ts";
import { fromBase64 } from "./base64.ts";
import { code, el, newId } from "./dom.ts";
import { RobotsEditor } from "./editor.ts";
import { EncodingNote } from "./encoding-note.ts";
import { acceptDrops, chooseFile, readText } from "./files.ts";
import { Findings } from "./findings.ts";
import { Notice } from "./notice.ts";
import { decodeText, version } from "./source.ts";
import { START, current, update, type State } from "./state.ts";
import { count } from "./words.ts";

interface FetchAnswer {
    body?: string | null;
    /** In the place of `body` if it is not UTF-8. */
    body_b64?: string;
    origin: string;
    end: string;
    status: number | null;
    outcome: string;
    policy: string;
    problem: string | null;
    hops: { url: string; status: number | null }[];
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
            this.#encoding.element,
            box,
            el("div", { class: "bar" }, el("label", { for: dialectId }, "Read as"), this.#dialect, this.#dialectHint),
            this.#findings.element,
        );
        this.editor = new RobotsEditor(box, current().robots, {
            onText: (text, isWhole) => update(isWhole ? opened(utf8(text)) : { robots: text }),
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
    }

    /** Shows another file. `before` is what Compare starts from. */
    #replace(file: Shown, notice: string, before = file): void {
        update(opened(file, before));
        this.#notice.say(notice);
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
            this.#notice.say(`Fetching the robots.txt of ${wanted}…`);
            try {
                const origin = wanted.includes("://") ? wanted : `https://${wanted}`;
                this.#fetched(await call<FetchAnswer>("/v1/fetch", { site: origin }));
            } catch (error) {
                this.#notice.fail(error);
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
            this.#replace(file, `Fetched from ${answer.origin}${redirects}.`);
        } else {
            const end = answer.status === null ? (answer.problem ?? answer.end) : `status ${answer.status}`;
            this.#notice.say(`${answer.origin} has no robots.txt to read: ${end}${redirects}.${meaning} The text below is as it was.`, true);
        }
    }
}

function utf8(text: string): Shown {
    return { text, base64: "" };
}

/** Returns the part of the state that a new file replaces. */
function opened(file: Shown, before = file): Partial<State> {
    return { ...version("robots", file), ...version("before", before) };
}
