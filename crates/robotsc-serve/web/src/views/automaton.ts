// Automaton: the compiled rules of an agent as a picture, with the walk of one URL through it.

import { ANALYSIS_PAUSE, Latest, call, debounced, type CheckAnswer } from "../api.ts";
import { el, fill, newId } from "../dom.ts";
import { problem } from "../problem.ts";
import { unread } from "../site-note.ts";
import { source } from "../source.ts";
import { current, update } from "../state.ts";
import { readSvg } from "../svg.ts";
import { count, sentence } from "../words.ts";
import type { Page, View } from "./view.ts";

interface AutomatonAnswer {
    states: number;
    svg?: string;
    /** The ids of the states and edges on the walk of the URL, in order. */
    walk?: string[];
    /** Why there is no picture. */
    reason?: string;
}

export class AutomatonView implements View {
    readonly element: HTMLElement;
    readonly #agent: HTMLInputElement;
    readonly #url: HTMLInputElement;
    readonly #summary = el("p", { class: "summary", role: "status" });
    readonly #states = el("p", { class: "hint" });
    readonly #picture = el("div", { class: "picture", tabindex: 0, role: "region", "aria-label": "Picture of the automaton" });
    readonly #zoom: HTMLInputElement;
    readonly #latest = new Latest();
    readonly #ask = debounced(() => void this.#draw(), ANALYSIS_PAUSE);

    constructor(page: Page) {
        const [agentId, urlId, listId, zoomId] = [newId("agent"), newId("url"), newId("known"), newId("zoom")];
        this.#agent = el("input", {
            id: agentId,
            type: "text",
            list: listId,
            spellcheck: "false",
            autocomplete: "off",
            oninput: () => update({ agent: this.#agent.value.trim() }),
        });
        this.#url = el("input", {
            id: urlId,
            type: "text",
            spellcheck: "false",
            autocomplete: "off",
            oninput: () => update({ url: this.#url.value.trim() }),
        });
        this.#zoom = el("input", { id: zoomId, type: "checkbox", checked: matchMedia("(min-width: 60rem)").matches, onchange: () => this.#fit() });
        this.element = el(
            "section",
            { class: "view automaton", "aria-label": "Automaton" },
            el(
                "p",
                { class: "hint" },
                "The rules of an agent are compiled to a small automaton. A URL walks through it from the left; a number is " +
                    "the line of a rule that matches there, and the longest rule on its walk decides.",
            ),
            el(
                "div",
                { class: "fields" },
                el("div", { class: "field" }, el("label", { for: agentId }, "Agent"), this.#agent),
                el("div", { class: "field" }, el("label", { for: urlId }, "URL or path"), this.#url),
                el("datalist", { id: listId }, ...page.register.map(({ token }) => el("option", { value: token }))),
            ),
            this.#summary,
            el("div", { class: "bar" }, this.#states, el("label", { class: "check" }, this.#zoom, " Fit the width")),
            this.#picture,
        );
        page.editor.mark(new Map());
    }

    refresh(): void {
        const { agent, url } = current();
        for (const [input, text] of [[this.#agent, agent], [this.#url, url]] as const) {
            if (input.value.trim() !== text) {
                input.value = text;
            }
        }
        this.#ask();
    }

    async #draw(): Promise<void> {
        const state = current();
        const { dialect, agent, url } = state;
        if (agent === "" || url === "") {
            this.#latest.cancel();
            fill(this.#summary);
            fill(this.#states);
            fill(this.#picture, el("p", { class: "empty" }, "Write an agent and a URL or a path above."));
            return;
        }
        if (state.unread !== "") {
            this.#latest.cancel();
            fill(this.#summary);
            fill(this.#states);
            fill(this.#picture, unread(state.unread));
            return;
        }
        await this.#latest.run(
            async (signal) => {
                const subject = { robots: source(state), dialect };
                const [drawn, { answers }] = await Promise.all([
                    call<AutomatonAnswer>("/v1/automaton", { ...subject, agent, url }, signal),
                    call<{ answers: CheckAnswer[] }>("/v1/check", { ...subject, agents: [agent], urls: [url] }, signal),
                ]);
                if (!signal.aborted) {
                    const [answer] = answers;
                    fill(this.#summary, answer === undefined ? "" : `${sentence(answer)}.`);
                    this.#show(drawn);
                }
            },
            (error) => {
                fill(this.#summary);
                fill(this.#states);
                fill(this.#picture, problem(error));
            },
        );
    }

    #show(answer: AutomatonAnswer): void {
        const states = count(answer.states, "state");
        if (answer.svg === undefined) {
            fill(this.#states, `The automaton has ${states}.`);
            fill(this.#picture, el("p", { class: "empty" }, answer.reason ?? "It is too large to be read."));
            return;
        }
        const picture = readSvg(answer.svg);
        picture.setAttribute("role", "img");
        picture.setAttribute("aria-label", `The automaton with ${states}; the walk of the URL is drawn in bold.`);
        const walk = new Set(answer.walk ?? []);
        for (const element of picture.querySelectorAll("[id]")) {
            element.classList.toggle("walked", walk.has(element.id));
        }
        fill(this.#states, `The automaton has ${states}. The walk of the URL is drawn in bold.`);
        fill(this.#picture, picture);
        this.#fit();
        picture.querySelector(".walked")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    }

    #fit(): void {
        this.#picture.classList.toggle("fit", this.#zoom.checked);
    }
}
