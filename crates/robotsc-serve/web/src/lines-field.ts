// A field of lines: a label, a text area, and a hint on what to write.

import { el, newId } from "./dom.ts";

export class LinesField {
    readonly element: HTMLElement;
    readonly #area: HTMLTextAreaElement;

    constructor(label: string, hint: string, rows: number, edited: (text: string) => void) {
        const id = newId("lines");
        this.#area = el("textarea", {
            id,
            rows,
            spellcheck: "false",
            autocapitalize: "off",
            "aria-describedby": `${id}-hint`,
            oninput: () => edited(this.#area.value),
        });
        this.element = el(
            "div",
            { class: "field" },
            el("label", { for: id }, label),
            this.#area,
            el("p", { class: "hint", id: `${id}-hint` }, hint),
        );
    }

    /** Shows a text. The pointer stays where it is if the text is what it was. */
    show(text: string): void {
        if (this.#area.value !== text) {
            this.#area.value = text;
        }
    }

    /** Sets what is shown in grey while the field is empty. */
    setPlaceholder(text: string): void {
        this.#area.placeholder = text;
    }
}
