// The findings of the linter: waves in the editor, a list under it, fixes, and the page of each rule.

import { FINDINGS_PAUSE, Latest, call, debounced, sentenceOf, type Finding } from "./api.ts";
import { ByteOffsets, type Offsets } from "./bytes.ts";
import { code, el, fill, quoted } from "./dom.ts";
import type { RobotsEditor } from "./editor.ts";
import { markdown } from "./markdown.ts";
import { words } from "./problem.ts";
import { offsets, source } from "./source.ts";
import { current } from "./state.ts";
import { count, list } from "./words.ts";

/** The findings that are listed. */
const MAX_LISTED = 100;

export class Findings {
    readonly element: HTMLDetailsElement;
    readonly #editor: () => RobotsEditor;
    readonly #head = el("span", {}, "Findings");
    readonly #list = el("ul", { class: "findings" });
    readonly #dialog: HTMLDialogElement;
    readonly #page = el("div", { class: "page" });
    readonly #latest = new Latest();
    readonly ask = debounced(() => void this.#lint(), FINDINGS_PAUSE);
    /** The text that the findings are about, and its offsets. */
    #text = "";
    #offsets: Offsets = new ByteOffsets("");

    constructor(editor: () => RobotsEditor) {
        this.#editor = editor;
        this.#dialog = el(
            "dialog",
            { "aria-label": "About this finding" },
            el("form", { method: "dialog" }, el("button", { class: "quiet", "aria-label": "Close" }, "Close")),
            this.#page,
        );
        this.element = el(
            "details",
            { class: "findings-pane" },
            el("summary", {}, this.#head),
            this.#list,
            this.#dialog,
        );
        this.element.open = matchMedia("(min-width: 60rem)").matches;
    }

    async #lint(): Promise<void> {
        const state = current();
        await this.#latest.run(
            async (signal) => {
                const answer = await call<{ findings: Finding[] }>("/v1/lint", { robots: source(state), dialect: state.dialect }, signal);
                if (!signal.aborted && current().robots === state.robots) {
                    this.#text = state.robots;
                    this.#offsets = offsets(state);
                    this.#show(answer.findings);
                }
            },
            (error) => {
                this.#editor().showFindings([], this.#offsets, () => {}, () => {});
                // In the head: it is seen when the list is closed.
                fill(this.#head, "Findings: not checked. ", el("span", { class: "problem" }, words(error)));
                fill(this.#list);
            },
        );
    }

    #show(findings: Finding[]): void {
        this.#editor().showFindings(
            findings,
            this.#offsets,
            (finding) => this.#fix(finding),
            (name) => void this.#open(name),
        );
        const of = (severity: Finding["severity"]) => findings.filter((finding) => finding.severity === severity).length;
        const kinds = [
            of("error") > 0 ? count(of("error"), "error") : "",
            of("warning") > 0 ? count(of("warning"), "warning") : "",
            of("note") > 0 ? count(of("note"), "note") : "",
        ].filter((kind) => kind !== "");
        this.#head.textContent = kinds.length > 0 ? `Findings: ${list(kinds)}` : "No findings";
        fill(
            this.#list,
            ...findings.slice(0, MAX_LISTED).map((finding) => this.#item(finding)),
            findings.length > MAX_LISTED && el("li", { class: "hint" }, `and ${count(findings.length - MAX_LISTED, "other")}`),
        );
    }

    #item(finding: Finding): HTMLElement {
        return el(
            "li",
            { class: finding.severity },
            el("span", { class: "badge" }, finding.severity),
            el(
                "div",
                {},
                el(
                    "p",
                    {},
                    ...quoted(finding.message),
                    finding.witness !== null && ". Example: ",
                    finding.witness !== null && code(finding.witness),
                ),
                el(
                    "p",
                    { class: "actions" },
                    el(
                        "button",
                        { type: "button", class: "link", onclick: () => this.#editor().goTo(finding.line) },
                        `line ${Math.max(finding.line, 1)}`,
                    ),
                    finding.fix !== null &&
                        el(
                            "button",
                            { type: "button", class: "small", onclick: () => this.#fix(finding) },
                            "Fix: ",
                            ...quoted(finding.fix.title),
                        ),
                    el(
                        "button",
                        {
                            type: "button",
                            class: "link",
                            "aria-label": `Why it matters: ${finding.code}`,
                            onclick: () => void this.#open(finding.code),
                        },
                        "Why it matters",
                    ),
                ),
            ),
        );
    }

    /** Applies a fix, unless the text has changed since the finding: the next answer brings its place. */
    #fix(finding: Finding): void {
        const editor = this.#editor();
        if (finding.fix !== null && editor.text === this.#text) {
            editor.apply(
                finding.fix.edits.map(({ start, end, text }) => ({
                    from: this.#offsets.toUnits(start),
                    to: this.#offsets.toUnits(end),
                    insert: text,
                })),
            );
            editor.focus();
        }
    }

    async #open(name: string): Promise<void> {
        fill(this.#page, el("p", {}, "Loading…"));
        this.#dialog.showModal();
        try {
            const page = await call<{ markdown: string }>(`/v1/lint/${encodeURIComponent(name)}`);
            fill(this.#page, ...markdown(page.markdown));
        } catch (error) {
            fill(this.#page, el("p", { class: "problem" }, sentenceOf(error)));
        }
    }
}
