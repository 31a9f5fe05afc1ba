// Policy: who may fetch nothing, by purpose, company or name, and what is for nobody. Shows the file with the block that
// says so, what is proved of it, and what robots.txt cannot do.

import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

import { AgentsField } from "../agents-field.ts";
import { ANALYSIS_PAUSE, ApiError, Latest, call, debounced, type Agent, type PolicyForm, type WithPolicy } from "../api.ts";
import { fromBase64 } from "../base64.ts";
import { el, fill, newId, quoted } from "../dom.ts";
import { basics } from "../editor.ts";
import { LinesField } from "../lines-field.ts";
import { problem } from "../problem.ts";
import { unread } from "../site-note.ts";
import { decodeText, source } from "../source.ts";
import { current, linesOf, update, type State } from "../state.ts";
import { PURPOSES, count, list } from "../words.ts";
import type { Page, View } from "./view.ts";

/** The line that begins a block. */
const BEGIN = /^\s*#\s*robotsc: begin\s*$/m;
/** The crawlers that a note names, and the lines that went and are shown. */
const MAX_NAMES = 12;
const MAX_LINES = 20;

/** The labels of a record of preferences, and how it says yes and no. */
interface Vocabulary {
    key: "usage" | "signal";
    title: string;
    labels: readonly [name: string, title: string][];
    says: readonly [yes: string, no: string];
}

const VOCABULARIES: readonly Vocabulary[] = [
    {
        key: "usage",
        title: "Content-Usage",
        labels: [["train-ai", "AI training"], ["ai-use", "AI answers"], ["search", "Search"]],
        says: ["y", "n"],
    },
    {
        key: "signal",
        title: "Content-Signal",
        labels: [["ai-train", "AI training"], ["ai-input", "AI answers"], ["search", "Search"]],
        says: ["yes", "no"],
    },
];

export class PolicyView implements View {
    readonly element: HTMLElement;
    readonly #page: Page;
    readonly #purposes: HTMLInputElement[];
    readonly #denied = new AgentsField("Others that may fetch nothing", (names) => this.#setDenied(names));
    readonly #allowed = new AgentsField("Let in all the same", (allow) => update({ allow: allow.map(withoutPrefix) }));
    readonly #closed: LinesField;
    readonly #preferences: [Vocabulary, string, HTMLSelectElement][];
    readonly #summary = el("p", { class: "summary", role: "status" });
    readonly #actions = el("div", { class: "bar" });
    readonly #results = el("div", { class: "results" });
    readonly #preview = el("div", { class: "merge preview" });
    readonly #latest = new Latest();
    readonly #ask = debounced(() => void this.#set(), ANALYSIS_PAUSE);
    /** Whether a block that was edited is replaced: said of one file alone. */
    #replaces = "";
    #merge: EditorView | null = null;

    constructor(page: Page) {
        this.#page = page;
        const known = PURPOSES.filter(([name]) => page.register.some((agent) => agent.purposes.includes(name)));
        this.#purposes = known.map(([name]) =>
            el("input", { type: "checkbox", value: name, onchange: () => this.#setDenied(this.#names()) }),
        );
        this.#closed = new LinesField("Paths that are for nobody", "One a line, such as /members/. A * stands for any text.", 2, (closed) =>
            update({ closed }),
        );
        this.#preferences = VOCABULARIES.flatMap((vocabulary) =>
            vocabulary.labels.map(([name]): [Vocabulary, string, HTMLSelectElement] => {
                const change = () => update({ [vocabulary.key]: this.#statement(vocabulary) });
                const options = ["says nothing", "yes", "no"].map((title, value) => el("option", { value }, title));
                return [vocabulary, name, el("select", { id: newId("preference"), onchange: change }, ...options)];
            }),
        );
        for (const field of [this.#denied, this.#allowed]) {
            field.setRegister(page.register);
        }
        this.element = el(
            "section",
            { class: "view policy", "aria-label": "Policy" },
            el(
                "fieldset",
                { class: "field" },
                el("legend", {}, "May fetch nothing: agents that crawl for"),
                el(
                    "ul",
                    { class: "purposes" },
                    ...known.map(([name, title], index) => this.#purpose(this.#purposes[index], title, members(page.register, name))),
                ),
            ),
            el(
                "div",
                { class: "fields" },
                el("div", {}, this.#denied.element, el("p", { class: "hint" }, "A company is ", el("code", {}, "operator:OpenAI"), ".")),
                el("div", {}, this.#allowed.element, el("p", { class: "hint" }, "A name has priority over a company, and that over a purpose.")),
                ...VOCABULARIES.map((vocabulary) => this.#fieldset(vocabulary)),
                this.#closed.element,
            ),
            this.#summary,
            this.#actions,
            this.#results,
            this.#preview,
        );
    }

    refresh(): void {
        const state = current();
        this.#purposes.forEach((box) => (box.checked = state.deny.includes(box.value)));
        this.#denied.set(state.deny.filter((name) => !this.#isPurpose(name)));
        this.#allowed.set(state.allow.map((name) => (this.#isPurpose(name) ? `purpose:${name}` : name)));
        this.#closed.show(state.closed);
        for (const [vocabulary, name, select] of this.#preferences) {
            const said = new Map(state[vocabulary.key].split(",").map((part) => part.trim().split("=") as [string, string]));
            select.value = String(vocabulary.says.indexOf(said.get(name) ?? "") + 1);
        }
        this.#ask();
    }

    #purpose(box: HTMLInputElement | undefined, title: string, agents: Agent[]): HTMLElement {
        const names = agents.map(({ token, robots }) => (robots === "ignored" ? `${token} (ignores robots.txt)` : token));
        return el(
            "li",
            {},
            el("label", {}, box, ` ${title}`),
            el("details", {}, el("summary", {}, count(agents.length, "agent"), el("span", { class: "hidden" }, ` for ${title}`)), el("p", { class: "hint" }, names.join(", "))),
        );
    }

    #fieldset({ key, title, labels }: Vocabulary): HTMLElement {
        const selects = this.#preferences.filter(([vocabulary]) => vocabulary.key === key);
        return el(
            "fieldset",
            { class: "field" },
            el("legend", {}, `${title} for everybody`),
            el(
                "div",
                { class: "preferences" },
                ...labels.flatMap(([name, label]) => {
                    const select = selects.find(([, known]) => known === name)?.[2];
                    return select === undefined ? [] : [el("label", { for: select.id }, label), select];
                }),
            ),
        );
    }

    #isPurpose(name: string): boolean {
        return this.#purposes.some(({ value }) => value === name);
    }

    /** Returns those that are denied by another text than a purpose with a box. */
    #names(): string[] {
        return current().deny.filter((name) => !this.#isPurpose(name));
    }

    #setDenied(names: string[]): void {
        const boxes = this.#purposes.filter((box) => box.checked).map((box) => box.value);
        update({ deny: [...new Set([...boxes, ...names.map(withoutPrefix)])] });
    }

    #statement({ key, says }: Vocabulary): string {
        const said = this.#preferences.filter(([vocabulary, , select]) => vocabulary.key === key && select.value !== "0");
        return said.map(([, name, select]) => `${name}=${says[Number(select.value) - 1]}`).join(", ");
    }

    async #set(): Promise<void> {
        const state = current();
        const policy = policyOf(state);
        const hasBlock = BEGIN.test(state.robots);
        if (state.unread !== "" || (policy === null && !hasBlock)) {
            this.#latest.cancel();
            this.#clear();
            const none = el("p", { class: "empty" }, "Choose who may fetch nothing: the file that says so is shown here, and what is proved of it.");
            fill(this.#results, state.unread === "" ? none : unread(state.unread));
            return;
        }
        const replaced = this.#replaces === state.robots ? { replace_edited: true } : {};
        await this.#latest.run(
            async (signal) => {
                const asked = { robots: source(state), ...(policy === null ? {} : { policy }), ...replaced };
                const answer = await call<WithPolicy>("/v1/set", asked, signal);
                if (!signal.aborted) {
                    this.#show(answer, state, policy);
                }
            },
            (error) => {
                this.#clear();
                fill(this.#results, problem(error), this.#wayOut(error, state));
            },
        );
    }

    #clear(): void {
        fill(this.#summary);
        fill(this.#actions);
        this.#showText(null, "");
    }

    /** Returns what can be done about an error: to look at its line, or to replace a block that was edited. */
    #wayOut(error: unknown, state: Readonly<State>): HTMLElement {
        const [, line] = (error instanceof ApiError && /^line (\d+): /.exec(error.message)) || [];
        const isEdited = error instanceof ApiError && error.message.includes("the block was edited");
        return el(
            "p",
            { class: "bar" },
            line !== undefined && button(`Show line ${line}`, () => this.#page.editor.goTo(Number(line))),
            isEdited &&
                button("Replace the block", () => {
                    this.#replaces = state.robots;
                    this.#ask();
                }),
            BEGIN.test(state.robots) && button("Take the block out", () => void this.#remove(state)),
        );
    }

    async #remove(state: Readonly<State>): Promise<void> {
        await this.#latest.run(
            async (signal) => this.#put(await call<WithPolicy>("/v1/set", { robots: source(state), remove: true }, signal)),
            (error) => fill(this.#results, problem(error)),
        );
    }

    /** Puts a file into the editor. It is still of its site, and compared with the file as it was opened. */
    #put(answer: WithPolicy): void {
        const { text, base64 } = textOf(answer);
        update({ robots: text, robotsBytes: base64, unread: "" });
    }

    #show(answer: WithPolicy, state: Readonly<State>, asked: PolicyForm | null): void {
        const parts = [
            [answer.denied.length, "denied"] as const,
            [answer.allowed.length, "let in"] as const,
            [answer.kept.length, "kept as before with a group"] as const,
        ].flatMap(([number, what]) => (number > 0 ? [`${count(number, "agent")} ${what}`] : []));
        fill(
            this.#summary,
            `${answer.changed ? "The file below says so" : "The file says so already"}${parts.length > 0 ? `: ${list(parts)}` : ""}.`,
        );
        fill(
            this.#actions,
            answer.changed && el("button", { type: "button", onclick: () => this.#put(answer) }, "Take it into the editor"),
            asked === null && answer.policy !== null && button("Edit the policy of the block", () => update(stateOf(answer.policy!))),
            BEGIN.test(state.robots) && button("Take the block out", () => void this.#remove(state)),
        );
        const lines = answer.removed_lines;
        fill(
            this.#results,
            part("Proved, for every path and in all dialects", answer.proved.map((sentence) => el("li", { class: "proved" }, ...quoted(sentence)))),
            part("Lines outside the block that go", [
                ...lines.slice(0, MAX_LINES).map((line) => el("li", {}, el("code", {}, line))),
                ...(lines.length > MAX_LINES ? [el("li", {}, `${count(lines.length - MAX_LINES, "other")}`)] : []),
            ]),
            part(
                "What robots.txt cannot do, and what else happens",
                answer.notes.map(({ agents, note }) => el("li", {}, el("strong", {}, list(agents, MAX_NAMES)), `: ${note}`)),
            ),
        );
        this.#showText(textOf(answer).text, state.robots);
    }

    /** Shows a text with the lines that differ from another marked; null shows none. */
    #showText(text: string | null, original: string): void {
        this.#merge?.destroy();
        this.#merge = null;
        this.#preview.hidden = text === null;
        if (text !== null) {
            this.#merge = new EditorView({
                parent: this.#preview,
                doc: text,
                extensions: [
                    basics("robots.txt with the policy", ""),
                    EditorState.readOnly.of(true),
                    unifiedMergeView({
                        original,
                        mergeControls: false,
                        highlightChanges: false,
                        collapseUnchanged: { margin: 3, minSize: 8 },
                        diffConfig: { scanLimit: 1000, timeout: 200 },
                    }),
                ],
            });
        }
    }
}

/** Returns the policy of the form, or null if it asks for nothing. */
function policyOf({ deny, allow, closed, usage, signal }: Readonly<State>): PolicyForm | null {
    const disallow = linesOf(closed);
    const isEmpty = deny.length + allow.length + disallow.length === 0 && usage === "" && signal === "";
    return isEmpty ? null : { deny, allow, disallow, content_usage: usage || null, content_signal: signal || null };
}

/** Returns the state of the form for a policy. */
function stateOf({ deny, allow, disallow, content_usage, content_signal }: PolicyForm): Partial<State> {
    const plain = (names: string[]) => names.map(withoutPrefix);
    return { deny: plain(deny), allow: plain(allow), closed: disallow.join("\n"), usage: content_usage ?? "", signal: content_signal ?? "" };
}

function withoutPrefix(name: string): string {
    return name.replace(/^purpose:/, "");
}

/** Returns the agents of a purpose that are asked. */
function members(register: Agent[], purpose: string): Agent[] {
    return register.filter(({ purposes, retired }) => purposes.includes(purpose) && !retired);
}

function textOf(answer: WithPolicy): { text: string; base64: string } {
    return answer.text_b64 === undefined ? { text: answer.text ?? "", base64: "" } : decodeText(fromBase64(answer.text_b64));
}

/** Returns a heading with a list, or nothing if the list is empty. */
function part(title: string, items: HTMLElement[]): HTMLElement | null {
    return items.length === 0 ? null : el("section", { class: "part" }, el("h3", {}, title), el("ul", {}, ...items));
}

function button(title: string, onclick: () => void): HTMLElement {
    return el("button", { type: "button", class: "quiet", onclick }, title);
}
