// An error in its place: what the server could not answer, and what to do.

import { ApiError, sentenceOf } from "./api.ts";
import { code, el } from "./dom.ts";

/** Returns a paragraph for an error. If the server names the URL or the agent that is wrong, so does the paragraph. */
export function problem(error: unknown, values: { urls?: string[]; agents?: string[] } = {}): HTMLElement {
    const [, field, index] = /^\/(urls|agents)\/(\d+)/.exec((error instanceof ApiError && error.where) || "") ?? [];
    const value = values[field as "urls" | "agents"]?.[Number(index)];
    return el(
        "p",
        { class: "problem", role: "alert" },
        ...(value === undefined ? [] : [field === "urls" ? "URL " : "Agent ", code(value), ": "]),
        sentenceOf(error),
    );
}
