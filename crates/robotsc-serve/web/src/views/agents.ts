// Agents: which of the known agents may fetch which sections of the site, by purpose.

import { ANSWER_PAUSE, Latest, call, debounced, type Agent, type MatrixAgent, type MatrixCell } from "../api.ts";
import { code, el, fill, newId } from "../dom.ts";
import { csv, save } from "../files.ts";
import { LinesField } from "../lines-field.ts";
import { askPart } from "../partial.ts";
import { problem } from "../problem.ts";
import { unread } from "../site-note.ts";
import { source } from "../source.ts";
import { current, linesOf, update, type State } from "../state.ts";
import { PURPOSES, count, list, purposeTitle, who } from "../words.ts";
import type { Page, View } from "./view.ts";

/** The sections that are taken from the file. */
const MAX_SECTIONS = 6;
/** The sections or URLs that have a column: beyond, the table says how many of them each agent may fetch. */
const MAX_COLUMNS = 12;
/** The names that a row of several agents shows. */
const MAX_NAMES = 60;
/** The agents that the sentence about a single section names: more are a row of the table. */
const MAX_NAMED = 5;

/** The name that stands for the agents that no group names. */
const OTHERS = "*";

/** The answers for one agent: one for each section. */
interface Column {
    agent: string;
    /** What else is known of it. All agents of a row have the same. */
    note: string | null;
    cells: MatrixCell[];
}

export class AgentsView implements View {
    readonly element: HTMLElement;
    readonly #page: Page;
    readonly #sections: LinesField;
    readonly #purposes: HTMLInputElement[];
    readonly #each: HTMLInputElement;
    readonly #summary = el("p", { class: "summary", role: "status" });
    readonly #results = el("div", { class: "results" });
    readonly #latest = new Latest();
    readonly #ask = debounced(() => void this.#matrix(), ANSWER_PAUSE);
    readonly #register: ReadonlyMap<string, Agent>;
    #shown: { sections: string[]; columns: Column[] } | null = null;

    constructor(page: Page) {
        this.#page = page;
        this.#register = new Map(page.register.map((agent) => [agent.token, agent]));
        this.#sections = new LinesField(
            "Sections or URLs",
            "One a line, such as /blog/. If you write none, they are those that the file names.",
            3,
            (sections) => update({ sections }),
        );
        const known = PURPOSES.filter(([name]) => page.register.some((agent) => agent.purposes.includes(name)));
        this.#purposes = known.map(([name]) =>
            el("input", { type: "checkbox", value: name, onchange: () => update({ purposes: this.#chosen() }) }),
        );
        this.#each = el("input", { type: "checkbox", onchange: () => update({ each: this.#each.checked }) });
        this.element = el(
            "section",
            { class: "view agents", "aria-label": "Agents" },
            el(
                "div",
                { class: "fields" },
                this.#sections.element,
                el(
                    "fieldset",
                    { class: "field" },
                    el("legend", {}, "Agents that crawl for"),
                    el(
                        "div",
                        { class: "checks" },
                        ...known.map(([, title], index) => el("label", {}, this.#purposes[index], ` ${title}`)),
                    ),
                ),
            ),
            el(
                "div",
                { class: "bar" },
                this.#summary,
                el("label", { class: "check" }, this.#each, " A row for each agent"),
                el("button", { type: "button", class: "quiet", onclick: () => this.#download() }, "Download CSV"),
            ),
            this.#results,
        );
    }

    refresh(): void {
        const state = current();
        this.#sections.show(state.sections);
        this.#sections.setPlaceholder(sectionsOf(state.robots).join("\n"));
        this.#purposes.forEach((box) => (box.checked = state.purposes.includes(box.value)));
        this.#each.checked = state.each;
        this.#ask();
    }

    #chosen(): string[] {
        return this.#purposes.filter((box) => box.checked).map((box) => box.value);
    }

    async #matrix(): Promise<void> {
        const state = current();
        const written = linesOf(state.sections);
        const sections = written.length > 0 ? written : sectionsOf(state.robots);
        if (state.purposes.length === 0 || state.unread !== "") {
            this.#latest.cancel();
            this.#clear();
            const none = el("p", { class: "empty" }, "Choose at least one purpose above.");
            fill(this.#results, state.unread === "" ? none : unread(state.unread));
            return;
        }
        const problems: HTMLElement[] = [];
        await this.#latest.run(
            async (signal) => {
                const subject = { robots: source(state), dialect: state.dialect };
                const agents = [...state.purposes.map((purpose) => `purpose:${purpose}`), OTHERS];
                const asked = await askPart({ urls: sections }, problems, async ({ urls = [] }) => ({
                    urls,
                    answer: await call<MatrixAnswer>("/v1/matrix", { ...subject, agents, urls }, signal),
                }));
                if (!signal.aborted) {
                    this.#shown = { sections: asked.urls, columns: columnsOf(asked.answer) };
                    this.#show(state, problems);
                }
            },
            (error) => {
                this.#clear();
                fill(this.#results, ...problems, problem(error, { urls: sections }));
            },
        );
    }

    #clear(): void {
        this.#shown = null;
        this.#page.editor.mark(new Map());
        fill(this.#summary);
    }

    #show(state: Readonly<State>, problems: HTMLElement[]): void {
        const { sections, columns: all } = this.#shown ?? { sections: [], columns: [] };
        const columns = all.filter(({ agent }) => agent !== OTHERS);
        const isWide = sections.length > MAX_COLUMNS;
        const [only] = sections;
        const allowed = sections.map((_, index) => columns.filter(({ cells }) => cells[index]?.verdict === "allowed").length);
        fill(
            this.#summary,
            sections.length === 1 && only !== undefined
                ? `May fetch ${only}: ${list(state.purposes.map((purpose) => this.#share(purpose, columns)))}.`
                : `${count(columns.length, "agent")} and ${count(sections.length, "section")}.`,
        );
        const heads = isWide
            ? [el("th", { scope: "col" }, `Of ${sections.length} URLs`)]
            : sections.map((section, index) =>
                  el(
                      "th",
                      { scope: "col" },
                      el("span", { class: "url" }, section),
                      el("span", { class: "hint" }, `${allowed[index]} of ${columns.length}`),
                  ),
              );
        const bodies = state.purposes.map((purpose) => {
            const members = columns.filter(({ agent }) => this.#register.get(agent)?.purposes.includes(purpose));
            const rows = state.each ? members.map((member) => [member]) : alike(members);
            const id = newId("purpose");
            return el(
                "tbody",
                {},
                el(
                    "tr",
                    { class: "purpose" },
                    el(
                        "th",
                        { scope: "rowgroup", id, colspan: heads.length + 1 },
                        purposeTitle(purpose),
                        el("span", { class: "hint" }, ` ${count(members.length, "agent")}`),
                    ),
                ),
                ...rows.map((row) => this.#row(row, isWide)),
            );
        });
        const preference = preferenceIn(state.robots);
        const others = all.filter(({ agent }) => agent === OTHERS);
        bodies.push(
            el(
                "tbody",
                {},
                el(
                    "tr",
                    { class: "purpose" },
                    el("th", { scope: "rowgroup", colspan: heads.length + 1 }, "Everyone else"),
                ),
                ...others.map((column) => this.#row([column], isWide)),
            ),
        );
        fill(
            this.#results,
            ...problems,
            preference !== null &&
                el(
                    "p",
                    { class: "hint" },
                    "The file also states a preference, ",
                    code(preference),
                    ": what may be done with a page once it is fetched. This table is about fetching alone.",
                ),
            el(
                "div",
                { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of agents and sections" },
                el(
                    "table",
                    { class: "matrix" },
                    el("caption", { class: "hidden" }, "Which agents may fetch which sections"),
                    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Agents"), ...heads)),
                    ...bodies,
                ),
            ),
        );
        const lines = new Map<number, "blocks" | "allows" | "both">();
        for (const { line, verdict } of all.flatMap(({ cells }) => cells)) {
            if (typeof line === "number") {
                const decides = verdict === "disallowed" ? "blocks" : "allows";
                lines.set(line, (lines.get(line) ?? decides) === decides ? decides : "both");
            }
        }
        this.#page.editor.mark(lines);
    }

    /** Returns how many agents with a purpose may fetch the first section: "AI training 14 of 16 (all but CCBot and GPTBot)". */
    #share(purpose: string, columns: Column[]): string {
        const members = columns.filter(({ agent }) => this.#register.get(agent)?.purposes.includes(purpose));
        const allowed = members.filter(({ cells }) => cells[0]?.verdict === "allowed");
        const others = members.filter((member) => !allowed.includes(member));
        const names = (some: Column[]) => list(some.map(({ agent }) => agent).sort((one, other) => one.localeCompare(other)));
        const isFew = (some: Column[]) => some.length <= MAX_NAMED;
        const isSplit = allowed.length > 0 && others.length > 0;
        const named =
            isSplit && isFew(others) ? ` (all but ${names(others)})` : isSplit && isFew(allowed) ? ` (only ${names(allowed)})` : "";
        return `${purposeTitle(purpose)} ${allowed.length} of ${members.length}${named}`;
    }

    #row(row: Column[], isWide: boolean): HTMLTableRowElement {
        const [first] = row;
        const names = row.map(({ agent }) => who(agent));
        const single = row.length === 1 ? this.#register.get(names[0] ?? "") : undefined;
        const notes = [single?.operator, first?.note].filter((note) => note);
        const cells = first?.cells ?? [];
        const allowed = cells.filter((cell) => cell.verdict === "allowed").length;
        return el(
            "tr",
            {},
            el(
                "th",
                { scope: "row" },
                row.length > 1 && el("span", { class: "count" }, `${row.length} agents: `),
                list(names, MAX_NAMES),
                notes.length > 0 && el("span", { class: "hint" }, ` ${notes.join(" · ")}`),
            ),
            ...(isWide
                ? [el("td", { class: "number" }, `${allowed} of ${cells.length}`)]
                : cells.map((cell) => this.#cell(cell))),
        );
    }

    #cell(cell: MatrixCell): HTMLTableCellElement {
        const blocks = cell.verdict === "disallowed";
        const line = cell.line ?? null;
        const verdict = cell.verdict ?? "error";
        const light = () => this.#page.editor.light(line === null ? [] : [line], blocks);
        const word = { allowed: "yes", disallowed: "no", error: "no answer" }[verdict];
        return el(
            "td",
            {
                class: `verdict ${verdict}`,
                onmouseenter: light,
                onmouseleave: () => this.#page.editor.light([]),
            },
            word,
            line !== null &&
                el(
                    "button",
                    {
                        type: "button",
                        class: "link line",
                        "aria-label": `line ${line} decides`,
                        onfocus: light,
                        onblur: () => this.#page.editor.light([]),
                        onclick: () => {
                            this.#page.editor.goTo(line);
                            light();
                        },
                    },
                    `line ${line}`,
                ),
        );
    }

    #download(): void {
        const { sections, columns } = this.#shown ?? { sections: [], columns: [] };
        const heads = ["agent", "operator", "purposes", ...sections.flatMap((section) => [section, `${section} line`])];
        const rows = columns.map(({ agent, cells }) => {
            const known = this.#register.get(agent);
            return [
                agent,
                known?.operator ?? "",
                known?.purposes.join(" ") ?? "",
                ...cells.flatMap((cell) => [cell.verdict ?? "error", String(cell.line ?? "")]),
            ];
        });
        save("robots-agents.csv", "text/csv", csv([heads, ...rows]));
    }
}

interface MatrixAnswer {
    verdicts: MatrixCell[];
    agents: MatrixAgent[];
}

/** Returns the answers of each agent, in the order of the URLs. */
function columnsOf(answer: MatrixAnswer): Column[] {
    const columns = answer.agents.map(({ agent, note }): Column => ({ agent, note, cells: [] }));
    const byName = new Map(columns.map((column) => [column.agent, column]));
    for (const cell of answer.verdicts) {
        byName.get(cell.agent)?.cells.push(cell);
    }
    return columns;
}

/** Returns agents in groups with equal answers, deciding lines and notes, the largest group first. */
function alike(columns: Column[]): Column[][] {
    const groups = new Map<string, Column[]>();
    for (const column of columns) {
        const key = [...column.cells.map((cell) => `${cell.verdict} ${cell.line}`), column.note].join(" ");
        groups.set(key, [...(groups.get(key) ?? []), column]);
    }
    return [...groups.values()].sort((one, other) => other.length - one.length);
}

/** Returns the first line that states what may be done with pages, if there is one. */
function preferenceIn(robots: string): string | null {
    return /^[ \t]*(content-(?:signal|usage)[ \t]*:[^#\n]*)/im.exec(robots)?.[1]?.trim() ?? null;
}

/** Returns the sections of a site that its robots.txt names: `/`, and the folders or pages of its rules. */
function sectionsOf(robots: string): string[] {
    const sections = new Set(["/"]);
    for (const [, path] of robots.matchAll(/^[ \t]*(?:dis)?allow[ \t]*:[ \t]*(\/[^\s*$?#]*)/gim)) {
        if (sections.size >= MAX_SECTIONS) {
            break;
        }
        const section = /^\/[^/]*\/?/.exec(path ?? "/")?.[0] ?? "/";
        if (!sections.has(section.replace(/\/$/, ""))) {
            sections.add(section);
        }
    }
    return [...sections];
}
