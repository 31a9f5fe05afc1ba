// The state of the page: all that a link holds. Views read it, change it with `update`, and hear of each change.

import { SHOP, SHOP_BEFORE } from "./example.ts";

export const VIEWS = ["test", "compare", "agents", "policy", "automaton", "pack"] as const;
export type View = (typeof VIEWS)[number];

export interface State {
    view: View;
    /** The robots.txt that every view is about. */
    robots: string;
    /** The version that Compare starts from. */
    before: string;
    /** Their bytes in base64 if they are not UTF-8, else empty: see `source.ts`. */
    robotsBytes: string;
    beforeBytes: string;
    /** The site that the file was fetched from, else empty: it answers for no other. */
    site: string;
    /** Why there is no file to answer by, else empty: a fetch failed. The text is then that of before. */
    unread: string;
    dialect: string;
    /** Test: URLs, one a line, and agents. */
    urls: string;
    agents: string[];
    /** Compare: two versions, or two dialects. */
    compare: "versions" | "dialects";
    dialects: string[];
    /** Agents: purposes, sections or URLs (empty: the sections that the file names), and whether each agent has a row. */
    purposes: string[];
    sections: string;
    each: boolean;
    /** Policy: who is denied and allowed, paths for nobody, one a line, and what the records of preferences say. */
    deny: string[];
    allow: string[];
    closed: string;
    usage: string;
    signal: string;
    /** Automaton: one agent and one URL. */
    agent: string;
    url: string;
    /** Pack: what is searched, and the origin that is shown. */
    search: string;
    origin: string;
}

/** What a visitor sees first: an example that shows each kind of answer. */
export const START: Readonly<State> = {
    view: "test",
    robots: SHOP,
    before: SHOP_BEFORE,
    robotsBytes: "",
    beforeBytes: "",
    site: "",
    unread: "",
    dialect: "google",
    urls: "/\n/cart\n/cart/help\n/mugs?sort=price\n/blog/",
    agents: ["Googlebot", "bingbot", "GPTBot"],
    compare: "versions",
    dialects: ["google", "rfc9309"],
    purposes: ["search", "ai-training", "ai-search", "user-triggered"],
    sections: "",
    each: false,
    deny: ["ai-training"],
    allow: [],
    closed: "",
    usage: "",
    signal: "",
    agent: "bingbot",
    url: "/cart/help",
    search: "",
    origin: "",
};

let state: State = { ...START };
const listeners: ((changed: ReadonlySet<keyof State>) => void)[] = [];

/** Returns the state. */
export function current(): Readonly<State> {
    return state;
}

/** Changes a part of the state, and calls each listener with the names of what changed. */
export function update(part: Partial<State>): void {
    const keys = Object.keys(part) as (keyof State)[];
    const changed = new Set(keys.filter((key) => !isSame(state[key], part[key])));
    if (changed.size > 0) {
        state = { ...state, ...part };
        listeners.forEach((listener) => listener(changed));
    }
}

/** Calls a function after each change. */
export function onChange(listener: (changed: ReadonlySet<keyof State>) => void): void {
    listeners.push(listener);
}

/** Returns the state that a link holds. What is missing or of another type is as at the start. */
export function fromLink(value: unknown, dialects: string[]): State {
    const given = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
    const read: Record<string, unknown> = { ...START };
    for (const [key, usual] of Object.entries(START)) {
        const found = given[key];
        if (Array.isArray(usual) ? isTexts(found) : typeof found === typeof usual) {
            read[key] = typeof found === "string" ? found.toWellFormed() : found;
        }
    }
    const state = read as unknown as State;
    if (!VIEWS.includes(state.view)) {
        state.view = START.view;
    }
    if (state.compare !== "dialects") {
        state.compare = "versions";
    }
    if (!dialects.includes(state.dialect)) {
        state.dialect = START.dialect;
    }
    if (state.dialects.length !== 2 || !state.dialects.every((name) => dialects.includes(name))) {
        state.dialects = START.dialects;
    }
    return state;
}

/** Returns the lines of a field that have text, without blanks around it. */
export function linesOf(text: string): string[] {
    return text
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
}

function isSame(one: unknown, other: unknown): boolean {
    return one === other || (typeof one === "object" && JSON.stringify(one) === JSON.stringify(other));
}

function isTexts(value: unknown): value is string[] {
    return Array.isArray(value) && value.length <= 1000 && value.every((item) => typeof item === "string");
}
