// A field for several agents: chips, and a list of suggestions from the register of known agents.
//
// It follows the combobox pattern of the ARIA practices: the focus stays in the input, arrows move in the list, Enter
// adds, Escape closes, Backspace in an empty input removes the last chip.

import type { Agent } from "./api.ts";
import { el, fill, newId } from "./dom.ts";
import { PURPOSES, purposeTitle } from "./words.ts";

/** The suggestions that are shown at once. */
const MAX_SHOWN = 40;

interface Suggestion {
    value: string;
    detail: string;
    searched: string;
}

/** A field for several agents. */
export class AgentsField {
    readonly element: HTMLElement;
    readonly #chips: HTMLElement;
    readonly #input: HTMLInputElement;
    readonly #list: HTMLElement;
    readonly #changed: (agents: string[]) => void;
    #agents: string[] = [];
    #suggestions: Suggestion[] = [];
    #shown: Suggestion[] = [];
    #active = -1;

    constructor(label: string, changed: (agents: string[]) => void) {
        this.#changed = changed;
        const [inputId, listId] = [newId("agents"), newId("suggestions")];
        this.#chips = el("ul", { class: "chips", "aria-label": `${label} so far` });
        this.#list = el("ul", { id: listId, role: "listbox", class: "suggestions", "aria-label": "Known agents", hidden: true });
        this.#input = el("input", {
            id: inputId,
            type: "text",
            role: "combobox",
            "aria-expanded": "false",
            "aria-controls": listId,
            "aria-autocomplete": "list",
            autocomplete: "off",
            spellcheck: "false",
            placeholder: "Name, company or purpose",
            oninput: () => this.#suggest(),
            onfocus: () => this.#suggest(),
            onblur: () => {
                // A name that is known, or like no other, is meant. A part of a name stays in the field.
                if (this.#shown.length <= 1) {
                    this.#add(this.#meant());
                }
                this.#close();
            },
            onkeydown: (event: KeyboardEvent) => this.#key(event),
        });
        this.element = el(
            "div",
            { class: "field" },
            el("label", { for: inputId }, label),
            el("div", { class: "agents-field" }, this.#chips, el("div", { class: "combobox" }, this.#input, this.#list)),
        );
    }

    /** Uses the register for suggestions. */
    setRegister(agents: Agent[]): void {
        const purposes = PURPOSES.map(([name, title]) => {
            const number = agents.filter((agent) => agent.purposes.includes(name) && !agent.retired).length;
            return { name, title, number };
        }).filter(({ number }) => number > 0);
        this.#suggestions = [
            ...purposes.map(({ name, title, number }) => ({
                value: `purpose:${name}`,
                detail: `all ${number} known agents: ${title}`,
                searched: `${name} ${title} purpose`.toLowerCase(),
            })),
            { value: "*", detail: "every agent that no group names", searched: "* all every any other" },
            ...agents.map((agent) => ({
                value: agent.token,
                detail: [agent.operator, agent.purposes.map(purposeTitle).join(", "), agent.retired ? "retired" : ""]
                    .filter((part) => part !== "")
                    .join(" · "),
                searched: `${agent.token} ${agent.operator} ${agent.purposes.join(" ")}`.toLowerCase(),
            })),
        ];
    }

    /** Shows other agents. */
    set(agents: string[]): void {
        this.#agents = [...agents];
        fill(
            this.#chips,
            ...agents.map((agent) =>
                el(
                    "li",
                    {},
                    el("span", {}, this.#title(agent)),
                    el(
                        "button",
                        {
                            type: "button",
                            "aria-label": `Remove ${agent}`,
                            onclick: () => {
                                this.#change(this.#agents.filter((other) => other !== agent));
                                this.#input.focus();
                            },
                        },
                        "×",
                    ),
                ),
            ),
        );
        this.#chips.hidden = agents.length === 0;
    }

    #title(agent: string): string {
        const [, purpose] = /^purpose:(.*)$/.exec(agent) ?? [];
        return purpose === undefined ? agent : `${purposeTitle(purpose)}: all`;
    }

    #change(agents: string[]): void {
        this.set(agents);
        this.#changed(agents);
    }

    #add(text: string): void {
        const added = text.split(",").map((name) => name.trim()).filter((name) => name !== "");
        if (added.length > 0) {
            this.#input.value = "";
            this.#change([...new Set([...this.#agents, ...added])]);
        }
    }

    #suggest(): void {
        const words = this.#input.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
        this.#shown = this.#suggestions
            .filter(({ value }) => !this.#agents.includes(value))
            .filter(({ searched }) => words.every((word) => searched.includes(word)))
            .slice(0, MAX_SHOWN);
        const written = this.#input.value.trim();
        if (written !== "" && this.#known(written) === undefined) {
            this.#shown.push({ value: written, detail: "as you wrote it", searched: "" });
        }
        this.#active = -1;
        fill(
            this.#list,
            ...this.#shown.map((suggestion, index) =>
                el(
                    "li",
                    {
                        id: `${this.#list.id}-${index}`,
                        role: "option",
                        "aria-selected": "false",
                        // Before the input loses the focus, which would close the list.
                        onpointerdown: (event: PointerEvent) => {
                            event.preventDefault();
                            this.#add(suggestion.value);
                            this.#suggest();
                        },
                    },
                    el("span", { class: "name" }, suggestion.value),
                    el("span", { class: "detail" }, suggestion.detail),
                ),
            ),
        );
        const isOpen = this.#shown.length > 0;
        this.#list.hidden = !isOpen;
        this.#list.scrollTop = 0;
        this.#list.scrollIntoView({ block: "nearest" });
        this.#input.setAttribute("aria-expanded", String(isOpen));
        this.#input.removeAttribute("aria-activedescendant");
    }

    #close(): void {
        this.#list.hidden = true;
        this.#active = -1;
        this.#input.setAttribute("aria-expanded", "false");
        this.#input.removeAttribute("aria-activedescendant");
    }

    #move(step: number): void {
        const options = this.#list.children;
        options[this.#active]?.setAttribute("aria-selected", "false");
        this.#active = (this.#active + step + options.length) % options.length;
        const option = options[this.#active];
        if (option !== undefined) {
            option.setAttribute("aria-selected", "true");
            option.scrollIntoView({ block: "nearest" });
            this.#input.setAttribute("aria-activedescendant", option.id);
        }
    }

    #key(event: KeyboardEvent): void {
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            if (this.#list.hidden) {
                this.#suggest();
            }
            if (this.#shown.length > 0) {
                // The first step up from no option is the last one.
                this.#move(event.key === "ArrowDown" ? 1 : this.#active < 0 ? 0 : -1);
            }
        } else if (event.key === "Enter") {
            event.preventDefault();
            this.#add(this.#shown[this.#active]?.value ?? this.#meant());
            this.#close();
        } else if (event.key === "Escape") {
            this.#close();
        } else if (event.key === "Backspace" && this.#input.value === "" && this.#agents.length > 0) {
            this.#change(this.#agents.slice(0, -1));
        }
    }

    /** Returns what the text in the field means: a known name, in any case, else the first suggestion. */
    #meant(): string {
        const written = this.#input.value.trim();
        return written === "" ? "" : (this.#known(written) ?? this.#shown[0]?.value ?? written);
    }

    #known(name: string): string | undefined {
        return this.#suggestions.find(({ value }) => value.toLowerCase() === name.toLowerCase())?.value;
    }
}
