// Compare: what an edit changes and for whom, or what one file means under two dialects.

import { MergeView } from "@codemirror/merge";
import { EditorView } from "@codemirror/view";

import { ANALYSIS_PAUSE, ApiError, Latest, call, debounced, type DiffAnswer, type DiffEntry, type DiffSummary } from "../api.ts";
import { code, el, fill, quoted } from "../dom.ts";
import { basics, goToLine } from "../editor.ts";
import { EncodingNote } from "../encoding-note.ts";
import { acceptDrops, chooseFile, readText } from "../files.ts";
import { Notice } from "../notice.ts";
import { askPart } from "../partial.ts";
import { problem, type Asked } from "../problem.ts";
import { TOO_LARGE } from "../status.ts";
import { SiteNote, unread } from "../site-note.ts";
import { source, version, type Version } from "../source.ts";
import { current, linesOf, update, type State } from "../state.ts";
import { count, list, who } from "../words.ts";
import { FlipsPart, type Sides } from "./flips.ts";
import type { Page, View } from "./view.ts";

/** The changes that are shown. */
const MAX_CHANGES = 300;

export class CompareView implements View {
    readonly element: HTMLElement;
    readonly #editors = el("div", { class: "merge" });
    readonly #heads: HTMLElement;
    readonly #mode: Record<State["compare"], HTMLInputElement>;
    readonly #dialects: [HTMLSelectElement, HTMLSelectElement];
    readonly #dialectFields: HTMLElement;
    readonly #notice = new Notice();
    readonly #encodings = [new EncodingNote("before", "The file before"), new EncodingNote("robots", "The file now")];
    readonly #site = new SiteNote();
    readonly #notices: HTMLElement;
    readonly #summary = el("p", { class: "summary", role: "status" });
    readonly #results = el("div", { class: "results" });
    readonly #flips = new FlipsPart();
    readonly #page: Page;
    readonly #latest = new Latest();
    readonly #ask = debounced(() => void this.#diff(), ANALYSIS_PAUSE);
    #merge: MergeView | null = null;

    constructor(page: Page) {
        this.#page = page;
        const mode = (value: State["compare"]) =>
            el("input", { type: "radio", name: "compare", value, onchange: () => update({ compare: value }) });
        this.#mode = { versions: mode("versions"), dialects: mode("dialects") };
        const dialect = (label: string) =>
            el(
                "select",
                {
                    "aria-label": label,
                    onchange: () => {
                        const [one, other] = this.#dialects;
                        update({ dialects: [one.value, other.value] });
                    },
                },
                ...page.about.dialects.map(({ name }) => el("option", { value: name }, name)),
            );
        this.#dialects = [dialect("First dialect"), dialect("Second dialect")];
        this.#dialectFields = el("span", { class: "inline" }, this.#dialects[0], " and ", this.#dialects[1]);
        this.#heads = this.#sides();
        this.#notices = el("div", {}, this.#notice.element, this.#site.element, ...this.#encodings.map(({ element }) => element));
        this.element = el(
            "section",
            { class: "view compare", "aria-label": "Compare" },
            el(
                "fieldset",
                { class: "modes" },
                el("legend", { class: "hidden" }, "What to compare"),
                el("label", {}, this.#mode.versions, " Two versions of the file"),
                el("label", {}, this.#mode.dialects, " The file under two dialects"),
                this.#dialectFields,
            ),
            this.#heads,
            this.#notices,
            this.#editors,
            el("div", { class: "bar" }, this.#summary),
            this.#results,
            this.#flips.element,
        );
    }

    refresh(): void {
        const state = current();
        this.#mode[state.compare].checked = true;
        const isVersions = state.compare === "versions";
        this.#heads.hidden = !isVersions;
        this.#notices.hidden = !isVersions;
        this.#encodings.forEach((note) => note.refresh());
        this.#site.refresh();
        this.#editors.hidden = !isVersions;
        this.#dialectFields.hidden = isVersions;
        this.#dialects.forEach((select, side) => (select.value = state.dialects[side] ?? ""));
        if (isVersions) {
            this.#merge ??= this.#mergeView();
            setText(this.#merge.a, state.before);
            setText(this.#merge.b, state.robots);
        }
        this.#flips.refresh();
        this.#ask();
    }

    #sides(): HTMLElement {
        const side = (title: string, key: Version, extra: HTMLElement) => {
            return el(
                "div",
                { class: "side" },
                el("h2", {}, title),
                el("button", { type: "button", class: "quiet", onclick: () => chooseFile((file) => void this.#open(key, file)) }, "Open…"),
                extra,
            );
        };
        return el(
            "div",
            { class: "sides" },
            side(
                "Before",
                "before",
                el(
                    "button",
                    {
                        type: "button",
                        class: "quiet",
                        title: "Later edits are then compared with the file as it is now",
                        onclick: () => update({ before: current().robots, beforeBytes: current().robotsBytes }),
                    },
                    "Take the file as it is now",
                ),
            ),
            side(
                "Now",
                "robots",
                el(
                    "button",
                    { type: "button", class: "quiet", onclick: () => update({ robots: current().before, robotsBytes: current().beforeBytes, unread: "" }) },
                    "Undo the edit",
                ),
            ),
        );
    }

    #mergeView(): MergeView {
        const changed = (key: Version) =>
            EditorView.updateListener.of((edit) => {
                if (edit.docChanged) {
                    update({ [key]: edit.state.doc.toString(), ...(key === "robots" ? { unread: "" } : {}) });
                }
            });
        const state = current();
        const view = new MergeView({
            parent: this.#editors,
            a: {
                doc: state.before,
                extensions: [basics("robots.txt before the edit", "Paste the old version here, or drop a file."), changed("before")],
            },
            b: {
                doc: state.robots,
                extensions: [basics("robots.txt now", "Paste the new version here, or drop a file."), changed("robots")],
            },
            collapseUnchanged: { margin: 3, minSize: 12 },
            diffConfig: { scanLimit: 1000, timeout: 200 },
        });
        acceptDrops(view.a.dom, (file) => void this.#open("before", file));
        acceptDrops(view.b.dom, (file) => void this.#open("robots", file));
        return view;
    }

    async #open(key: Version, file: File): Promise<void> {
        try {
            const read = await readText(file);
            update(version(key, read));
            this.#notice.say(`This is ${read.name}.`);
        } catch (error) {
            this.#notice.fail(error);
        }
    }

    async #diff(): Promise<void> {
        const state = current();
        const isVersions = state.compare === "versions";
        if (!isVersions && state.unread !== "") {
            this.#latest.cancel();
            this.#flips.clear();
            fill(this.#summary);
            fill(this.#results, unread(state.unread));
            return;
        }
        await this.#latest.run(
            async (signal) => {
                const files = {
                    old: source(state, isVersions ? "before" : "robots"),
                    new: source(state),
                    dialects: isVersions ? [state.dialect] : state.dialects,
                };
                const ask = ({ urls = [] }: Asked) => call<DiffAnswer>("/v1/diff", { ...files, urls }, signal);
                const problems: HTMLElement[] = [];
                const urls = linesOf(state.urls);
                let answer: DiffAnswer;
                try {
                    answer = await askPart({ urls }, problems, ask);
                } catch (error) {
                    // What is wrong with the URLs, or too much, hides no change of the rules.
                    const isOfUrls = error instanceof ApiError && (error.where?.startsWith("/urls") || error.status === TOO_LARGE);
                    if (!isOfUrls) {
                        throw error;
                    }
                    problems.splice(0, Infinity, problem(error, { urls }));
                    answer = await ask({});
                }
                if (signal.aborted) {
                    return;
                }
                this.#show(answer.changes, answer.summary, state);
                if (answer.urls === undefined) {
                    this.#flips.clear(problems);
                } else {
                    this.#flips.show(answer.urls.flips, answer.urls.totals, this.#linesOfFlips(state), problems);
                }
            },
            (error) => {
                this.#flips.clear();
                fill(this.#summary);
                fill(this.#results, problem(error));
            },
        );
    }

    /** Returns where the lines of a flip are: in the two editors of versions, or in the one of the page. */
    #linesOfFlips(state: Readonly<State>): Sides {
        const merge = this.#merge;
        if (state.compare === "dialects" || merge === null) {
            const goTo = (line: number) => this.#page.editor.goTo(line);
            return { titles: [state.dialects[0] ?? "", state.dialects[1] ?? ""], goTo: [goTo, goTo] };
        }
        return { titles: ["Before", "Now"], goTo: [(line) => goToLine(merge.a, line), (line) => goToLine(merge.b, line)] };
    }

    #show(changes: DiffEntry[], summary: DiffSummary, state: Readonly<State>): void {
        const [one, other] = state.dialects;
        const isVersions = state.compare === "versions";
        if (summary.result === "same") {
            const lines = summary.differing_lines;
            fill(
                this.#summary,
                !isVersions
                    ? `${one} and ${other} read this file alike: no answer differs.`
                    : lines === 0
                      ? "The two versions are equal. Edit one, or open another file: what changes is listed here."
                      : `The meaning is the same for all agents. ${count(lines, "line")} ${lines === 1 ? "differs" : "differ"}.`,
            );
            fill(this.#results);
            return;
        }
        const numbers = [
            [summary.newly_blocked, isVersions ? "Newly blocked" : `Blocked only under ${other}`] as const,
            [summary.newly_allowed, isVersions ? "Newly open" : `Open only under ${other}`] as const,
        ].flatMap(([number, title]) => (number > 0 ? [`${title}: ${count(number, "change")}.`] : []));
        const found = numbers.join(" ");
        const open = changes.flatMap((change) => (change.type === "not-decided" ? change.agents : []));
        const gap = `The comparison is not complete: robotsc could not decide what ${isVersions ? "changes" : "differs"} for ${list(open.map(audience), 12)}.`;
        fill(
            this.#summary,
            summary.result === "not-decided"
                ? `${gap}${found === "" ? "" : ` Found so far: ${found}`}`
                : found || "No address is newly blocked or open, but other records differ.",
        );
        fill(
            this.#results,
            el("ul", { class: "changes" }, ...changes.slice(0, MAX_CHANGES).map((change, index) => this.#change(change, changes[index - 1], isVersions))),
            changes.length > MAX_CHANGES &&
                el("p", { class: "hint" }, `The first ${MAX_CHANGES} of ${count(changes.length, "change")} are shown.`),
            summary.unchanged.length > 0 &&
                el("p", { class: "hint" }, `Nothing changes for ${list(summary.unchanged.map(audience), 12)}.`),
        );
    }

    /** Shows a path in Test, before the URLs that are there. */
    #test(path: string, agents: string[]): void {
        const others = linesOf(current().urls).filter((url) => url !== path);
        update({ view: "test", urls: [path, ...others].join("\n"), agents: agents.slice(0, 12) });
    }

    #change(change: DiffEntry, before: DiffEntry | undefined, isVersions: boolean): HTMLElement {
        // What has changed for agents as a whole is said once: after the first of their changes.
        const isSaid = (note: string) => before?.type === "rules" && before.notes.includes(note);
        switch (change.type) {
            case "rules": {
                const blocks = change.change === "newly-blocked";
                const word = isVersions ? (blocks ? "now blocked" : "now open") : "differs";
                const { path } = change;
                return el(
                    "li",
                    { class: blocks ? "blocked" : "opened" },
                    el("span", { class: "badge" }, word),
                    el(
                        "div",
                        {},
                        el("p", {}, ...quoted(capital(change.sentence)), "."),
                        ...[
                            ...change.notes
                                .filter((note) => !isSaid(note))
                                .map((note) => el("p", { class: "hint" }, ...quoted(capital(note)), ".")),
                            path !== undefined &&
                                el(
                                    "button",
                                    {
                                        type: "button",
                                        class: "link",
                                        onclick: () => this.#test(path, change.agents),
                                    },
                                    `Test ${path}`,
                                ),
                        ],
                    ),
                );
            }
            case "record":
                return el(
                    "li",
                    { class: "record" },
                    el("span", { class: "badge" }, "changed"),
                    el(
                        "p",
                        {},
                        `${change.record}${change.agents === undefined ? "" : ` for ${list(change.agents.map(audience), 12)}`}: `,
                        change.removed.length > 0 ? code(change.removed.join(", ")) : "none",
                        isVersions ? " before, " : " under the first, ",
                        change.added.length > 0 ? code(change.added.join(", ")) : "none",
                        isVersions ? " now." : " under the second.",
                    ),
                );
            case "not-decided":
                return el(
                    "li",
                    { class: "record" },
                    el("span", { class: "badge" }, "not decided"),
                    el("p", {}, `For ${list(change.agents.map(audience), 12)}: ${change.reason}.`),
                );
        }
    }
}

function audience(agent: string): string {
    return agent === "*" ? "all other agents" : who(agent);
}

function capital(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
}

function setText(view: EditorView, text: string): void {
    if (view.state.doc.toString() !== text) {
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    }
}
