// The editor of a robots.txt: its text, the lines that decide answers, and the findings.
//
// A line that decides an answer has a mark in the gutter: "✗" if it blocks, "✓" if it allows. While an answer is
// hovered or focused, its line is lit. While a line is hovered or has the cursor, `onLine` reports it.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, RangeSet, StateEffect, StateField, type Extension } from "@codemirror/state";
import {
    Decoration,
    EditorView,
    GutterMarker,
    gutter,
    highlightSpecialChars,
    keymap,
    lineNumbers,
    placeholder,
    type DecorationSet,
} from "@codemirror/view";

import type { Finding } from "./api.ts";
import type { Offsets } from "./bytes.ts";
import { el, quoted } from "./dom.ts";
import { robotsLanguage } from "./language.ts";

/** The findings that get a wavy line: the list under the editor has them all. */
const MAX_MARKED_FINDINGS = 1000;

/** What a line decides: only blocks, only allowances, or both. */
export type Decides = "blocks" | "allows" | "both";

class Mark extends GutterMarker {
    readonly decides: Decides;

    constructor(decides: Decides) {
        super();
        this.decides = decides;
    }

    override eq(other: Mark): boolean {
        return other.decides === this.decides;
    }

    override toDOM(): Node {
        const mark = document.createElement("span");
        const [sign, title] = {
            blocks: ["✗", "This line blocks an address of the table"],
            allows: ["✓", "This line allows an address of the table"],
            both: ["✗✓", "This line decides answers of the table"],
        }[this.decides] as [string, string];
        mark.textContent = sign;
        mark.title = title;
        mark.className = `mark-${this.decides}`;
        return mark;
    }
}

const setMarks = StateEffect.define<ReadonlyMap<number, Decides>>();
const setLit = StateEffect.define<{ lines: number[]; blocks: boolean }>();

const marks = StateField.define<RangeSet<GutterMarker>>({
    create: () => RangeSet.empty,
    update(marks, transaction) {
        let next = marks.map(transaction.changes);
        for (const effect of transaction.effects) {
            if (effect.is(setMarks)) {
                const doc = transaction.state.doc;
                const lines = [...effect.value].filter(([line]) => line >= 1 && line <= doc.lines);
                lines.sort(([one], [other]) => one - other);
                next = RangeSet.of(lines.map(([line, decides]) => new Mark(decides).range(doc.line(line).from)));
            }
        }
        return next;
    },
});

const lit = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(lit, transaction) {
        let next = lit.map(transaction.changes);
        for (const effect of transaction.effects) {
            if (effect.is(setLit)) {
                const doc = transaction.state.doc;
                const look = Decoration.line({ class: effect.value.blocks ? "lit lit-blocks" : "lit lit-allows" });
                const lines = [...new Set(effect.value.lines)].filter((line) => line >= 1 && line <= doc.lines);
                lines.sort((one, other) => one - other);
                next = Decoration.set(lines.map((line) => look.range(doc.line(line).from)));
            }
        }
        return next;
    },
    provide: (field) => EditorView.decorations.from(field),
});

/** Returns what every editor of the page has. `label` names it for screen readers. */
export function basics(label: string, empty: string): Extension {
    return [
        EditorView.cspNonce.of(nonce()),
        lineNumbers(),
        highlightSpecialChars(),
        history(),
        search({ top: true }),
        highlightSelectionMatches(),
        // Tab is left to the browser: it moves on to the next control.
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap]),
        EditorState.phrases.of({ "Control character": "Control character" }),
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off", tabindex: "0" }),
        placeholder(empty),
        robotsLanguage,
    ];
}

/** Scrolls a line of an editor into sight, and puts the cursor there. */
export function goToLine(view: EditorView, line: number): void {
    const doc = view.state.doc;
    const anchor = doc.line(Math.min(Math.max(line, 1), doc.lines)).from;
    view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
}

/** The nonce for styles, which the server puts into each response. */
function nonce(): string {
    return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
}

export interface EditorEvents {
    /** The text changed. `isWhole`: all of it was replaced at once, as when a file is pasted. */
    onText(text: string, isWhole: boolean): void;
    /** The pointer or the cursor is on another line; null: on none. */
    onLine(line: number | null): void;
}

/** The editor on the left of the page. */
export class RobotsEditor {
    readonly #view: EditorView;

    constructor(parent: HTMLElement, text: string, events: EditorEvents) {
        let hovered: number | null = null;
        const hover = (line: number | null) => {
            if (line !== hovered) {
                hovered = line;
                events.onLine(line);
            }
        };
        this.#view = new EditorView({
            parent,
            doc: text,
            extensions: [
                gutter({ class: "marks", markers: (view) => view.state.field(marks) }),
                basics("robots.txt", "Paste a robots.txt here, or drop a file."),
                marks,
                lit,
                EditorView.domEventHandlers({
                    mousemove(event, view) {
                        const at = view.posAtCoords({ x: event.clientX, y: event.clientY }, false);
                        hover(view.state.doc.lineAt(at).number);
                    },
                    mouseleave: () => hover(null),
                    blur: () => hover(null),
                }),
                EditorView.updateListener.of((update) => {
                    if (update.docChanged) {
                        const before = update.startState.doc.length;
                        let isWhole = false;
                        update.changes.iterChanges((from, to) => {
                            isWhole ||= from === 0 && to === before && update.transactions.some(isPaste);
                        });
                        events.onText(update.state.doc.toString(), isWhole);
                    } else if (update.selectionSet && update.view.hasFocus) {
                        hover(update.state.doc.lineAt(update.state.selection.main.head).number);
                    }
                }),
            ],
        });
    }

    get text(): string {
        return this.#view.state.doc.toString();
    }

    /** Replaces the text, if it is another. */
    setText(text: string): void {
        const doc = this.#view.state.doc;
        if (doc.toString() !== text) {
            this.#view.dispatch({ changes: { from: 0, to: doc.length, insert: text }, selection: { anchor: 0 } });
        }
    }

    /** Applies edits of a fix, as one step that can be undone. */
    apply(edits: { from: number; to: number; insert: string }[]): void {
        this.#view.dispatch({ changes: edits, userEvent: "input.fix" });
    }

    /** Shows which lines decide answers. */
    mark(lines: ReadonlyMap<number, Decides>): void {
        this.#view.dispatch({ effects: setMarks.of(lines) });
    }

    /** Lights lines, or none. */
    light(lines: number[], blocks = false): void {
        this.#view.dispatch({ effects: setLit.of({ lines, blocks }) });
    }

    /** Scrolls a line into sight, and puts the cursor there. */
    goTo(line: number): void {
        goToLine(this.#view, line);
    }

    focus(): void {
        this.#view.focus();
    }

    /** Underlines the findings. */
    showFindings(findings: Finding[], offsets: Offsets, fix: (finding: Finding) => void, open: (code: string) => void) {
        const length = this.#view.state.doc.length;
        const diagnostics = findings.slice(0, MAX_MARKED_FINDINGS).map((finding): Diagnostic => {
            const from = Math.min(offsets.toUnits(finding.start), length);
            const actions = [{ name: `About ${finding.code}`, apply: () => open(finding.code) }];
            if (finding.fix !== null) {
                actions.unshift({ name: `Fix: ${finding.fix.title.replaceAll("`", "")}`, apply: () => fix(finding) });
            }
            return {
                from,
                to: Math.min(Math.max(offsets.toUnits(finding.end), from), length),
                severity: finding.severity === "note" ? "info" : finding.severity,
                message: finding.message,
                renderMessage: () => el("span", {}, ...quoted(finding.message)),
                actions,
            };
        });
        this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
    }
}

function isPaste(transaction: { isUserEvent(event: string): boolean }): boolean {
    return transaction.isUserEvent("input.paste");
}
