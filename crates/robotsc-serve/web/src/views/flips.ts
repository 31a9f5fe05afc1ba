// Compare, by URL: which of the given URLs get another verdict, for whom, and from which line to which.

import { el, fill, newId } from "../dom.ts";
import { current, update } from "../state.ts";
import { count, list, may } from "../words.ts";
import type { Flip, FlipTotals } from "../api.ts";

/** The flips that are shown. */
const MAX_FLIPS = 300;

/** What the lines of a flip are called, and how to show one of them. */
export interface Sides {
    titles: [string, string];
    goTo: [(line: number) => void, (line: number) => void];
}

export class FlipsPart {
    readonly element: HTMLElement;
    readonly #urls: HTMLTextAreaElement;
    readonly #summary = el("p", { class: "summary", role: "status" });
    readonly #results = el("div", { class: "results" });

    constructor() {
        const [id, headId] = [newId("urls"), newId("flips")];
        this.#urls = el("textarea", {
            id,
            rows: 5,
            spellcheck: "false",
            autocapitalize: "off",
            placeholder: "/cart\nhttps://shop.example/mugs",
            "aria-describedby": `${id}-hint`,
            oninput: () => update({ urls: this.#urls.value }),
        });
        this.element = el(
            "section",
            { class: "flips", "aria-labelledby": headId },
            el("h2", { id: headId }, "Which of your URLs get another verdict?"),
            el(
                "div",
                { class: "field" },
                el("label", { for: id }, "URLs or paths"),
                this.#urls,
                el("p", { class: "hint", id: `${id}-hint` }, "One a line, the same as in Test."),
            ),
            this.#summary,
            this.#results,
        );
    }

    refresh(): void {
        const { urls } = current();
        if (this.#urls.value !== urls) {
            this.#urls.value = urls;
        }
    }

    /** Shows that no URLs are compared, and what is wrong with them. */
    clear(problems: HTMLElement[] = []): void {
        fill(this.#summary);
        fill(this.#results, ...problems);
    }

    show(flips: Flip[], totals: FlipTotals, sides: Sides, problems: HTMLElement[]): void {
        const all = count(totals.urls, "URL");
        fill(
            this.#summary,
            totals.flips === 0
                ? `No verdict differs for ${totals.urls === 1 ? "this URL" : `these ${all}`}.`
                : `The verdict differs for ${totals.flips.toLocaleString("en")} of ${all}.`,
        );
        if (flips.length === 0) {
            fill(this.#results, ...problems);
            return;
        }
        const [before, now] = sides.titles;
        fill(
            this.#results,
            ...problems,
            el(
                "table",
                { class: "answers" },
                el("caption", { class: "hidden" }, "URLs whose verdict differs, for whom, and the lines that decide"),
                el(
                    "thead",
                    {},
                    el("tr", {}, ...["URL", "Agents", before, now].map((title) => el("th", { scope: "col" }, title))),
                ),
                el("tbody", {}, ...flips.slice(0, MAX_FLIPS).map((flip) => this.#row(flip, sides))),
            ),
            flips.length > MAX_FLIPS &&
                el("p", { class: "hint" }, `The first ${MAX_FLIPS} of ${count(flips.length, "flip")} are shown.`),
        );
    }

    #row(flip: Flip, { titles, goTo }: Sides): HTMLElement {
        const verdicts = flip.change === "newly-blocked" ? ["allowed", "disallowed"] : ["disallowed", "allowed"];
        const agents = flip.agents.map((agent) => (agent === "*" ? "all other agents" : agent));
        const side = (number: 0 | 1, line: number | null) =>
            el(
                "td",
                {},
                el("span", { class: "hint phone" }, `${titles[number]}: `),
                el("span", { class: `verdict ${verdicts[number]}` }, may(verdicts[number])),
                " ",
                line
                    ? el("button", { type: "button", class: "link", onclick: () => goTo[number](line) }, `line ${line}`)
                    : el("span", { class: "hint" }, "no rule matches"),
            );
        return el(
            "tr",
            {},
            el("th", { scope: "row" }, flip.url),
            el("td", {}, list(agents, 12)),
            side(0, flip.old_line),
            side(1, flip.new_line),
        );
    }
}
