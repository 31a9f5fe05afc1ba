// Test: which agent may fetch which URL, and the line that decides.

import { AgentsField } from "../agents-field.ts";
import { ANSWER_PAUSE, Latest, call, debounced, type CheckAnswer, type ExplainedRule, type Explanation } from "../api.ts";
import { percentEncoded } from "../base64.ts";
import { code, el, fill } from "../dom.ts";
import type { Decides } from "../editor.ts";
import { csv, save } from "../files.ts";
import { LinesField } from "../lines-field.ts";
import { askPart } from "../partial.ts";
import { problem, words } from "../problem.ts";
import { unread } from "../site-note.ts";
import { source } from "../source.ts";
import { current, linesOf, update, type State } from "../state.ts";
import { because, count, list, may, ruleOf, sentence, who } from "../words.ts";
import type { Page, View } from "./view.ts";

/** The answers that are shown as rows: the file of the download has them all. */
const MAX_ROWS = 400;

interface Row {
    answer: CheckAnswer;
    element: HTMLTableRowElement;
}

export class TestView implements View {
    readonly element: HTMLElement;
    readonly #page: Page;
    readonly #urls: LinesField;
    readonly #agents: AgentsField;
    readonly #summary = el("p", { class: "summary", role: "status" });
    readonly #results = el("div", { class: "results" });
    readonly #latest = new Latest();
    readonly #ask = debounced(() => void this.#check(), ANSWER_PAUSE);
    #answers: CheckAnswer[] = [];
    #rows: Row[] = [];
    /** The answer whose details are open. */
    #open: { url: string; agent: string } | null = null;

    constructor(page: Page) {
        this.#page = page;
        this.#urls = new LinesField("URLs or paths", "One a line. A path starts with /.", 5, (urls) => update({ urls }));
        this.#urls.setPlaceholder("/cart\nhttps://shop.example/mugs");
        this.#agents = new AgentsField("Agents", (agents) => update({ agents }));
        this.#agents.setRegister(page.register);
        this.element = el(
            "section",
            { class: "view test", "aria-label": "Test" },
            el(
                "div",
                { class: "fields" },
                this.#urls.element,
                this.#agents.element,
            ),
            el(
                "div",
                { class: "bar" },
                this.#summary,
                el("button", { type: "button", class: "quiet", onclick: () => this.#download() }, "Download CSV"),
            ),
            this.#results,
        );
    }

    refresh(changed: ReadonlySet<keyof State> | "all"): void {
        const state = current();
        this.#urls.show(state.urls);
        if (changed === "all" || changed.has("agents")) {
            this.#agents.set(state.agents);
        }
        this.#ask();
    }

    lineChanged(line: number | null): void {
        for (const { answer, element } of this.#rows) {
            element.classList.toggle("lit", line !== null && answer.line === line);
        }
    }

    async #check(): Promise<void> {
        const state = current();
        const urls = linesOf(state.urls);
        if (state.unread !== "" || urls.length === 0 || state.agents.length === 0) {
            this.#latest.cancel();
            const missing =
                urls.length === 0
                    ? "Write a URL or a path above, such as /cart: you see who may fetch it."
                    : "Add an agent above, such as Googlebot: you see what it may fetch.";
            this.#clear(state.unread === "" ? el("p", { class: "empty" }, missing) : unread(state.unread));
            return;
        }
        const problems: HTMLElement[] = [];
        await this.#latest.run(
            async (signal) => {
                const answers = await askPart({ urls, agents: state.agents }, problems, async (values) => {
                    if (values.urls?.length === 0 || values.agents?.length === 0) {
                        return null;
                    }
                    const request = { robots: source(state), dialect: state.dialect, ...values };
                    return (await call<{ answers: CheckAnswer[] }>("/v1/check", request, signal)).answers;
                });
                if (signal.aborted) {
                    return;
                }
                if (answers === null) {
                    this.#clear(...problems);
                } else {
                    this.#show(answers, problems);
                }
            },
            (error) => this.#clear(...problems, problem(error, { urls })),
        );
    }

    /** Shows no answers, but something else. */
    #clear(...shown: HTMLElement[]): void {
        this.#answers = [];
        this.#rows = [];
        this.#page.editor.mark(new Map());
        fill(this.#summary);
        fill(this.#results, ...shown);
    }

    #show(answers: CheckAnswer[], problems: HTMLElement[]): void {
        this.#answers = answers;
        const blocked = answers.filter((answer) => answer.verdict === "disallowed").length;
        const allowed = answers.filter((answer) => answer.verdict === "allowed").length;
        const failed = answers.length - blocked - allowed;
        const parts = [
            allowed > 0 ? `${allowed.toLocaleString("en")} allowed` : "",
            blocked > 0 ? `${blocked.toLocaleString("en")} blocked` : "",
            failed > 0 ? `${failed.toLocaleString("en")} not given` : "",
        ];
        const [only] = answers;
        fill(
            this.#summary,
            answers.length === 1 && only !== undefined
                ? sentence(only)
                : `${count(answers.length, "answer")}: ${list(parts.filter((part) => part !== ""))}.`,
        );
        const focused = this.#rows.find(({ element }) => element.contains(document.activeElement))?.answer;
        this.#rows = answers.slice(0, MAX_ROWS).map((answer) => ({ answer, element: this.#row(answer) }));
        const body = el("tbody", {}, ...this.#rows.map(({ element }) => element));
        fill(
            this.#results,
            ...problems,
            el(
                "table",
                { class: "answers" },
                el("caption", { class: "hidden" }, "Who may fetch what, and the line that decides"),
                el(
                    "thead",
                    {},
                    el(
                        "tr",
                        {},
                        el("th", { scope: "col" }, "Agent"),
                        el("th", { scope: "col" }, "Answer"),
                        el("th", { scope: "col" }, "URL"),
                        el("th", { scope: "col" }, "Because"),
                    ),
                ),
                body,
            ),
            answers.length > MAX_ROWS &&
                el("p", { class: "hint" }, `The first ${MAX_ROWS} are shown. The CSV file has all ${count(answers.length, "answer")}.`),
        );
        this.#markLines(answers);
        const open = this.#rowOf(this.#open);
        this.#rowOf(focused)?.element.querySelector("button")?.focus();
        if (open !== undefined) {
            void this.#explain(open.answer, open.element);
        } else {
            this.#open = null;
        }
    }

    /** Returns the row of a question: the rows are new after each answer, and the focus and the details stay. */
    #rowOf(question: { url: string; agent: string } | null | undefined): Row | undefined {
        return this.#rows.find(({ answer }) => answer.url === question?.url && answer.agent === question.agent);
    }

    #markLines(answers: CheckAnswer[]): void {
        const lines = new Map<number, Decides>();
        for (const { line, verdict } of answers) {
            if (line) {
                const decides = verdict === "disallowed" ? "blocks" : "allows";
                lines.set(line, (lines.get(line) ?? decides) === decides ? decides : "both");
            }
        }
        this.#page.editor.mark(lines);
    }

    #row(answer: CheckAnswer): HTMLTableRowElement {
        const blocks = answer.verdict === "disallowed";
        const light = () => this.#page.editor.light(answer.line ? [answer.line] : [], blocks);
        const dark = () => this.#page.editor.light([]);
        const button = el(
            "button",
            {
                type: "button",
                class: "because",
                "aria-expanded": "false",
                onclick: () => this.#toggle(answer, row),
                onfocus: light,
                onblur: dark,
            },
            because(answer),
        );
        const row = el(
            "tr",
            { onmouseenter: light, onmouseleave: dark },
            el("th", { scope: "row" }, who(answer.agent)),
            el("td", { class: `verdict ${answer.verdict ?? "failed"}` }, may(answer.verdict)),
            el("td", { class: "url" }, answer.url),
            el("td", {}, answer.type === "error" ? el("span", { class: "problem" }, answer.reason) : button, answer.note ? el("span", { class: "hint" }, ` ${answer.note}`) : ""),
        );
        return row;
    }

    #toggle(answer: CheckAnswer, row: HTMLTableRowElement): void {
        const isOpen = row.nextElementSibling?.classList.contains("details") ?? false;
        this.element.querySelectorAll("tr.details").forEach((details) => details.remove());
        this.element.querySelectorAll("[aria-expanded=true].because").forEach((button) => {
            button.setAttribute("aria-expanded", "false");
        });
        this.#open = isOpen ? null : { url: answer.url, agent: answer.agent };
        if (!isOpen) {
            if (answer.line) {
                this.#page.editor.goTo(answer.line);
                this.#page.editor.light([answer.line], answer.verdict === "disallowed");
            }
            void this.#explain(answer, row);
        }
    }

    async #explain(answer: CheckAnswer, row: HTMLTableRowElement): Promise<void> {
        const cell = el("td", { colspan: 4 });
        const details = el("tr", { class: "details" }, cell);
        row.after(details);
        row.querySelector(".because")?.setAttribute("aria-expanded", "true");
        const state = current();
        try {
            const explanation = await call<Explanation>("/v1/explain", {
                robots: source(state),
                dialect: state.dialect,
                agent: answer.agent,
                url: answer.url,
            });
            fill(cell, ...this.#details(answer, explanation));
        } catch (error) {
            fill(cell, el("p", { class: "problem" }, words(error)));
        }
    }

    #details(answer: CheckAnswer, explanation: Explanation): HTMLElement[] {
        const { selection, rule } = explanation;
        const groups = selection.groups.map(({ first_line, last_line }) =>
            first_line === last_line ? `line ${first_line}` : `lines ${first_line} to ${last_line}`,
        );
        const group =
            selection.reason === "named"
                ? `The file has rules for ${list(selection.tokens)}: ${list(groups)}.`
                : selection.reason === "star"
                  ? `No group names ${who(answer.agent)}, so the rules for all agents (*) count: ${list(groups)}.`
                  : selection.reason === "star-ignored"
                    ? "It obeys only groups that name it, and none does, so it may fetch everything."
                    : "No group is for this agent, so it may fetch everything.";
        const losers = explanation.also_matching.map((other) => el("li", {}, other.line === null ? "the dialect" : this.#lineLink(other.line), ": ", code(`${ruleName(other.kind)}: ${patternOf(other)}`)));
        const others = explanation.other_dialects.filter((other) => other.verdict !== explanation.verdict);
        return [
            el("p", { class: "sentence" }, `${sentence(answer)}.`),
            el("p", {}, group),
            ...(rule !== null && losers.length > 0
                ? [
                      el("p", {}, `${whyItWins(rule, explanation.also_matching)}:`),
                      el("ul", {}, ...losers),
                  ]
                : []),
            ...(explanation.path !== undefined && explanation.path !== answer.url
                ? [el("p", {}, "Rules are compared with the path ", code(explanation.path), ".")]
                : []),
            ...(others.length > 0
                ? [
                      el(
                          "p",
                          {},
                          `Not all parsers agree: ${list(others.map((other) => `${other.dialect} says ${other.verdict ?? "nothing"}`))}.`,
                      ),
                  ]
                : [el("p", {}, "All dialects give the same answer.")]),
            el(
                "p",
                {},
                el(
                    "button",
                    {
                        type: "button",
                        class: "link",
                        onclick: () => update({ view: "automaton", agent: answer.agent, url: answer.url }),
                    },
                    "Show its walk through the automaton",
                ),
            ),
        ];
    }

    #lineLink(line: number): HTMLElement {
        return el("button", { type: "button", class: "link", onclick: () => this.#page.editor.goTo(line) }, `line ${line}`);
    }

    #download(): void {
        const rows = this.#answers.map((answer) => [
            answer.agent,
            answer.url,
            answer.verdict ?? "error",
            answer.line ? String(answer.line) : "",
            ruleOf(answer) ?? "",
            answer.reason ?? "",
        ]);
        save("robots-answers.csv", "text/csv", csv([["agent", "url", "answer", "line", "rule", "reason"], ...rows]));
    }
}

/** Returns why a rule decides, and none of the others that match. */
function whyItWins(rule: ExplainedRule, others: ExplainedRule[]): string {
    const start = "These lines match too, but";
    const { line, kind, length } = rule;
    if (line === null) {
        return `${start} the dialect itself decides`;
    }
    if (length === null || others.some((other) => other.length === null || other.length > length)) {
        return `${start} line ${line} decides`;
    }
    const equal = others.filter((other) => other.length === length);
    if (equal.length === 0) {
        return `${start} line ${line} has the longest pattern`;
    }
    if (equal.every((other) => other.kind === kind)) {
        return `${start} no pattern is longer than that of line ${line}`;
    }
    return kind === "allow"
        ? `${start} no pattern is longer than that of line ${line}, and an Allow wins over a Disallow of the same length`
        : `${start} line ${line} decides`;
}

function patternOf({ source, source_b64, pattern }: ExplainedRule): string {
    return source ?? (source_b64 === undefined ? (pattern ?? "") : percentEncoded(source_b64));
}

function ruleName(kind: string): string {
    return kind === "allow" ? "Allow" : "Disallow";
}
