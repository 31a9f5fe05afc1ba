// Pack: the origins of the server's pack, and what holds for one now and in a month.

import { ANALYSIS_PAUSE, Latest, call, debounced, sentenceOf, type CheckAnswer } from "../api.ts";
import { el, fill, newId } from "../dom.ts";
import { problem } from "../problem.ts";
import { current, update } from "../state.ts";
import { because, count, may, who } from "../words.ts";
import type { Page, View } from "./view.ts";

interface PackList {
    total: number;
    matching: number;
    /** Whether all of the pack was searched in the time that the server takes. */
    complete: boolean;
    origins: string[];
}

interface PackOrigin {
    origin: string;
    outcome: string;
    fetched: string | null;
    expires: string | null;
    policy: string;
    entry: {
        agents: { agent: string; bytes: number | null; crawl_delay: number | null }[];
        sitemaps: string[];
    };
}

/** The agents of a pack that answers are shown for. */
const MAX_AGENTS = 50;
/** A month, in milliseconds. */
const MONTH = 30 * 24 * 3600 * 1000;

export class PackView implements View {
    readonly element: HTMLElement;
    readonly #search: HTMLInputElement;
    readonly #summary = el("p", { class: "summary", role: "status" });
    readonly #list = el("ul", { class: "origins" });
    readonly #facts = el("div", {});
    readonly #path: HTMLInputElement;
    readonly #pathField: HTMLElement;
    readonly #answers = el("div", {});
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
        const pathId = newId("path");
        this.#path = el("input", {
            id: pathId,
            type: "text",
            spellcheck: "false",
            autocomplete: "off",
            oninput: () => update({ url: this.#path.value.trim() }),
        });
        this.#pathField = el("div", { class: "field" }, el("label", { for: pathId }, "Who may fetch this path?"), this.#path);
        this.element = el(
            "section",
            { class: "view pack", "aria-label": "Pack" },
            el("div", { class: "field" }, el("label", { for: id }, "Origins whose name contains"), this.#search),
            el("div", { class: "bar" }, this.#summary),
            el(
                "div",
                { class: "two" },
                this.#list,
                // The field stays in its place while answers come: else it would lose the focus.
                el("div", { class: "results" }, this.#facts, this.#pathField, this.#answers),
            ),
        );
    }

    refresh(): void {
        const { search, url } = current();
        if (this.#search.value !== search) {
            this.#search.value = search;
        }
        if (this.#path.value.trim() !== url) {
            this.#path.value = url;
        }
        this.#ask();
    }

    async #refresh(): Promise<void> {
        const { search, origin, url } = current();
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
            this.#reading.cancel();
            this.#showOnly(el("p", { class: "empty" }, "Choose an origin: you see its rules, and what holds now and in a month."));
            return;
        }
        await this.#reading.run(
            async (signal) => {
                const at = (time: number) =>
                    call<PackOrigin>("/v1/pack/origin", { origin, at: new Date(time).toISOString() }, signal);
                const [now, later] = await Promise.all([at(Date.now()), at(Date.now() + MONTH)]);
                // The facts and the answers are shown together: no answer stands under the facts of another origin.
                const answers = await this.#answersFor(now, url, signal);
                if (!signal.aborted) {
                    this.#showOrigin(now, later);
                    fill(this.#answers, ...answers);
                }
            },
            (error) => this.#showOnly(problem(error)),
        );
    }

    /** Returns who may fetch a path of an origin, or why that is not known. */
    async #answersFor({ origin, entry }: PackOrigin, url: string, signal: AbortSignal): Promise<HTMLElement[]> {
        if (url === "" || entry.agents.length === 0) {
            return [];
        }
        const agents = entry.agents.slice(0, MAX_AGENTS).map(({ agent }) => agent);
        const request = { robots: { pack_origin: origin }, agents, urls: [url] };
        try {
            const { answers } = await call<{ answers: CheckAnswer[] }>("/v1/check", request, signal);
            const rest = entry.agents.length - agents.length;
            return rest > 0
                ? [table(answers), el("p", { class: "hint" }, `The answers for the first ${agents.length} of ${count(entry.agents.length, "agent")} are shown.`)]
                : [table(answers)];
        } catch (error) {
            return [problem(error, { urls: [url], agents })];
        }
    }

    /** Shows a message in the place of an origin. */
    #showOnly(message: HTMLElement): void {
        fill(this.#facts, message);
        fill(this.#answers);
        this.#pathField.hidden = true;
    }

    #show({ origins, matching, total, complete }: PackList): void {
        const shown = origins.length < matching ? `; the first ${origins.length} are listed` : "";
        const end = complete ? "" : " The search stopped early: write more of the name.";
        fill(this.#summary, `${matching.toLocaleString("en")} of ${count(total, "origin")}${shown}.${end}`);
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
            this.#facts,
            el("h2", {}, now.origin),
            el(
                "dl",
                {},
                ...fact("Last fetch", now.fetched === null ? "never" : time(now.fetched)),
                ...fact("Result", now.outcome),
                ...fact("Expires", now.expires === null ? "never" : time(now.expires)),
                ...fact("Now", effect(now.policy)),
                ...fact("In a month", effect(later.policy)),
                ...fact("Agents", now.entry.agents.map(rules).join(", ") || "none"),
                ...now.entry.sitemaps.slice(0, 20).flatMap((sitemap) => fact("Sitemap", sitemap)),
            ),
            now.entry.agents.length === 0 && el("p", { class: "empty" }, "The pack holds no rules for it."),
        );
        this.#pathField.hidden = now.entry.agents.length === 0;
    }
}

function table(answers: CheckAnswer[]): HTMLElement {
    const head = (title: string) => el("th", { scope: "col" }, title);
    return el(
        "table",
        { class: "answers" },
        el("caption", { class: "hidden" }, "Who may fetch the path"),
        el("thead", {}, el("tr", {}, head("Agent"), head("Answer"), head("URL"), head("Because"))),
        el(
            "tbody",
            {},
            ...answers.map((answer) =>
                el(
                    "tr",
                    {},
                    el("th", { scope: "row" }, who(answer.agent)),
                    el("td", { class: `verdict ${answer.verdict ?? "failed"}` }, may(answer.verdict)),
                    el("td", { class: "url" }, answer.url),
                    el("td", {}, because(answer)),
                ),
            ),
        ),
    );
}

function rules({ agent, bytes, crawl_delay }: PackOrigin["entry"]["agents"][number]): string {
    const size = bytes === null ? "no rules" : count(bytes, "byte");
    return `${who(agent)} (${size}${crawl_delay === null ? "" : `, ${crawl_delay} s between requests`})`;
}

function effect(policy: string): string {
    return (
        {
            rules: "its rules count",
            "allow-all": "everything may be fetched",
            "disallow-all": "nothing may be fetched",
            unknown: "unknown: fetch the robots.txt again",
        }[policy] ?? policy
    );
}

function time(text: string): string {
    return text.replace("T", " ").replace(/(:\d\d)(\.\d+)?Z$/, "$1 UTC");
}
