// What the page says of the site that the file was fetched from, and of a fetch that failed.

import { el, fill } from "./dom.ts";
import { current, update } from "./state.ts";

/** The site that the file is of: it answers for no other. */
export class SiteNote {
    readonly element = el("p", { class: "notice", role: "status", hidden: true });
    #said = "";

    refresh(): void {
        const { site } = current();
        if (site === this.#said) {
            return;
        }
        this.#said = site;
        this.element.hidden = site === "";
        fill(
            this.element,
            `The answers are for ${site}: a URL of another site gets none. `,
            el("button", { type: "button", class: "link", onclick: () => update({ site: "" }) }, "Answer for any site"),
        );
    }
}

/** Returns what stands in the place of answers after a fetch that failed: those by the old text would be of another file. */
export function unread(sentence: string): HTMLElement {
    return el(
        "div",
        { class: "empty" },
        el("p", {}, sentence),
        el("p", {}, "There are no answers: the text of the robots.txt is that of before."),
        el("button", { type: "button", class: "quiet", onclick: () => update({ unread: "" }) }, "Answer by that text"),
    );
}
