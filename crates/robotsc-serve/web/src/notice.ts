// A notice: one sentence about the file beside it, which screen readers say when it changes.

import { sentenceOf } from "./api.ts";
import { el, fill } from "./dom.ts";

export class Notice {
    readonly element = el("p", { class: "notice", role: "status" });

    /** Shows a sentence, or nothing if it is empty. */
    say(text: string, isProblem = false): void {
        fill(this.element, text);
        this.element.classList.toggle("problem", isProblem);
    }

    /** Shows what went wrong. */
    fail(error: unknown): void {
        this.say(sentenceOf(error), true);
    }
}
