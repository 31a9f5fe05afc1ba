// The left of the page: where the robots.txt comes from, the editor, and what the linter finds.

import { call, type About } from "./api.ts";
import { fromBase64 } from "./base64.ts";
import { code, el, newId } from "./dom.ts";
import { RobotsEditor } from "./editor.ts";
import { acceptDrops, chooseFile, damage, decodeText, opened, readText } from "./files.ts";
import { Findings } from "./findings.ts";
import { Notice } from "./notice.ts";
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

export class FilePane {
    readonly element: HTMLElement;
    readonly editor: RobotsEditor;
    readonly #notice = new Notice();
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
                    { type: "button", class: "quiet", onclick: () => this.#replace(START.robots, START.before, "") },
                    "Example",
                ),
                el(
                    "button",
                    {
                        type: "button",
                        class: "quiet",
                        onclick: () => {
                            this.#replace("", "", "");
                            this.editor.focus();
                        },
                    },
                    "Clear",
                ),
            ),
            about.fetch ? this.#fetchForm() : this.#fetchHint(),
            this.#notice.element,
            box,
            el("div", { class: "bar" }, el("label", { for: dialectId }, "Read as"), this.#dialect, this.#dialectHint),
            this.#findings.element,
        );
        this.editor = new RobotsEditor(box, current().robots, {
            onText: (text, isWhole) => update(isWhole ? { robots: text, before: text } : { robots: text }),
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
    }

    #replace(robots: string, before: string, notice: string): void {
        update({ robots, before });
        this.#notice.say(notice);
    }

    async #open(file: File): Promise<void> {
        try {
            const read = await readText(file);
            this.#replace(read.text, read.text, opened(read));
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
        const text = answer.body_b64 === undefined ? answer.body : decodeText(fromBase64(answer.body_b64)).text;
        if (typeof text === "string" && answer.policy === "rules") {
            const damaged = answer.body_b64 === undefined ? "" : ` ${damage("It")}`;
            this.#replace(text, text, `Fetched from ${answer.origin}${redirects}.${damaged}`);
        } else {
            const end = answer.status === null ? (answer.problem ?? answer.end) : `status ${answer.status}`;
            this.#notice.say(`${answer.origin} has no robots.txt to read: ${end}${redirects}.${meaning} The text below is as it was.`, true);
        }
    }
}
