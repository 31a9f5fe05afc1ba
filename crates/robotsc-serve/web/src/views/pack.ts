// Pack: the origins of the server's pack, and what holds for one now and in a month.

import { ANALYSIS_PAUSE, Latest, call, debounced, sentenceOf } from "../api.ts";
import { code, el, fill, newId } from "../dom.ts";
import { current, update } from "../state.ts";
import { count } from "../words.ts";
import type { Page, View } from "./view.ts";

interface PackList {
    total: number;
    matching: number;
    origins: string[];
}

interface PackOrigin {
    origin: string;
    outcome: string;
    fetched: string | null;
    expires: string | null;
    policy: string;
    rules: string | null;
}

/** A month, in milliseconds. */
const MONTH = 30 * 24 * 3600 * 1000;

export class PackView implements View {
    readonly element: HTMLElement;
    readonly #search: HTMLInputElement;
    readonly #summary = el("p", { class: "summary", role: "status" });
    readonly #list = el("ul", { class: "origins" });
    readonly #origin = el("div", { class: "results" });
    readonly #searching = new Latest();
    readonly #reading = new Latest();
    readonly #ask = debounced(() => void this.#refresh(), ANALYSIS_PAUSE);

    constructor(_: Page) {
        const id = newId("search");
        this.#search = el("input", {
            id,
            type: "search",
            spellcheck: "false",
            placeholder: "shop",
            oninput: () => update({ search: this.#search.value }),
        });
        this.element = el(
            "section",
            { class: "view pack", "aria-label": "Pack" },
            el("div", { class: "field" }, el("label", { for: id }, "Origins whose name contains"), this.#search),
            el("div", { class: "bar" }, this.#summary),
            el("div", { class: "two" }, this.#list, this.#origin),
        );
    }

    refresh(): void {
        const { search } = current();
        if (this.#search.value !== search) {
            this.#search.value = search;
        }
        this.#ask();
    }

    async #refresh(): Promise<void> {
        const { search, origin } = current();
        await this.#searching.run(
            async (signal) => {
                const found = await call<PackList>(`/v1/pack?q=${encodeURIComponent(search)}&limit=50`, undefined, signal);
                if (!signal.aborted) {
                    this.#show(found);
                }
            },
            (error) => {
                fill(this.#list);
                fill(this.#summary, sentenceOf(error));
            },
        );
        if (origin === "") {
            fill(this.#origin, el("p", { class: "empty" }, "Choose an origin: you see its rules, and what holds now and in a month."));
            return;
        }
        await this.#reading.run(
            async (signal) => {
                const at = (time: number) =>
                    call<PackOrigin>("/v1/pack/origin", { origin, at: new Date(time).toISOString() }, signal);
                const [now, later] = await Promise.all([at(Date.now()), at(Date.now() + MONTH)]);
                if (!signal.aborted) {
                    this.#showOrigin(now, later);
                }
            },
            (error) => fill(this.#origin, el("p", { class: "problem", role: "alert" }, sentenceOf(error))),
        );
    }

    #show({ origins, matching, total }: PackList): void {
        const shown = origins.length < matching ? `; the first ${origins.length} are listed` : "";
        fill(this.#summary, `${matching.toLocaleString("en")} of ${count(total, "origin")}${shown}.`);
        fill(
            this.#list,
            ...origins.map((origin) =>
                el(
                    "li",
                    {},
                    el(
                        "button",
                        {
                            type: "button",
                            class: "link",
                            "aria-current": origin === current().origin ? "true" : null,
                            onclick: () => update({ origin }),
                        },
                        origin,
                    ),
                ),
            ),
        );
    }

    #showOrigin(now: PackOrigin, later: PackOrigin): void {
        const fact = (name: string, value: string) => [el("dt", {}, name), el("dd", {}, value)];
        fill(
            this.#origin,
            el("h2", {}, now.origin),
            el(
                "dl",
                {},
                ...fact("Last fetch", now.fetched === null ? "never" : time(now.fetched)),
                ...fact("Result", now.outcome),
                ...fact("Expires", now.expires === null ? "never" : time(now.expires)),
                ...fact("Now", effect(now.policy)),
                ...fact("In a month", effect(later.policy)),
            ),
            now.rules === null || now.rules === ""
                ? el("p", { class: "empty" }, "The pack holds no rules for it.")
                : el("pre", { tabindex: 0 }, code(now.rules)),
        );
    }
}

function effect(policy: string): string {
    return (
        {
            rules: "the rules below count",
            "allow-all": "everything may be fetched",
            "disallow-all": "nothing may be fetched",
            unknown: "unknown: fetch the robots.txt again",
        }[policy] ?? policy
    );
}

function time(text: string): string {
    return text.replace("T", " ").replace(/(:\d\d)(\.\d+)?Z$/, "$1 UTC");
}
