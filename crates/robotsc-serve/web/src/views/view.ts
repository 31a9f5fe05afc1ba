// What a view is, and what the page lends to each.

import type { Agent, About } from "../api.ts";
import type { RobotsEditor } from "../editor.ts";
import type { State } from "../state.ts";

/** What the page lends to its views. */
export interface Page {
    readonly editor: RobotsEditor;
    readonly about: About;
    readonly register: Agent[];
}

/** A view: it is made when it is first shown. */
export interface View {
    readonly element: HTMLElement;
    /** The view is shown, or the state changed while it is. */
    refresh(changed: ReadonlySet<keyof State> | "all"): void;
    /** The pointer or the cursor is on a line of the editor. */
    lineChanged?(line: number | null): void;
}
