// What the page says of a file that is not UTF-8, and what an edit of it does.

import { el, fill } from "./dom.ts";
import { encoding, unedited, type Version } from "./source.ts";
import { current, update } from "./state.ts";

export class EncodingNote {
    readonly element = el("p", { class: "notice", role: "status", hidden: true });
    readonly #version: Version;
    readonly #name: string;
    #said: ReturnType<typeof encoding> = null;

    /** `name` is the subject of the sentences, such as "This file". */
    constructor(version: Version, name: string) {
        this.#version = version;
        this.#name = name;
    }

    refresh(): void {
        const now = encoding(current(), this.#version);
        if (now === this.#said) {
            return;
        }
        this.#said = now;
        this.element.hidden = now === null;
        this.element.classList.toggle("problem", now === "edited");
        if (now === "bytes") {
            fill(
                this.element,
                `${this.#name} is not UTF-8: bytes that are not are shown as \ufffd. The answers are about its bytes. ` +
                    "If you edit the text, the answers are about what you see, and a rule with \ufffd is another rule.",
            );
        } else if (now === "edited") {
            fill(
                this.element,
                `${this.#name} was not UTF-8, and you edited it: a rule with \ufffd is now another rule than in the file. `,
                el(
                    "button",
                    { type: "button", class: "link", onclick: () => update(unedited(current(), this.#version)) },
                    "Back to the bytes of the file",
                ),
            );
        }
    }
}
