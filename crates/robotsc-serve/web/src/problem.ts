// An error in its place: what the server could not answer, and what to do.

import { ApiError, sentenceOf } from "./api.ts";
import { code, el } from "./dom.ts";
import { current } from "./state.ts";
import { TOO_LARGE } from "./status.ts";

/** What a question holds besides the robots.txt. */
export interface Asked {
    urls?: string[];
    agents?: string[];
}

/** The characters of a text from which it can be what is over a limit of bytes. */
const LARGE = 250_000;

/** Returns a paragraph for an error. If the server names the URL or the agent that is wrong, so does the paragraph. */
export function problem(error: unknown, values: Asked = {}): HTMLElement {
    const wrong = wrongValue(error);
    const value = wrong === null ? undefined : values[wrong.field]?.[wrong.index];
    return el(
        "p",
        { class: "problem", role: "alert" },
        ...(wrong === null || value === undefined ? [] : [wrong.field === "urls" ? "URL " : "Agent ", code(short(value)), ": "]),
        words(error, values),
    );
}

/** Returns which of several values the server names as wrong. */
export function wrongValue(error: unknown): { field: keyof Asked; index: number } | null {
    const where = (error instanceof ApiError && error.where) || "";
    const [, field, index] = /^\/(urls|agents)\/(\d+)/.exec(where) ?? [];
    return field === undefined ? null : { field: field as keyof Asked, index: Number(index) };
}

/** Returns the sentence of an error. What is too much for the server is said with what a person does next. */
export function words(error: unknown, { urls = [] }: Asked = {}): string {
    if (!(error instanceof ApiError && error.status === TOO_LARGE)) {
        return sentenceOf(error);
    }
    const [what] = error.message.split(": ");
    const command = "For all at once, save them as urls.txt and run 'robotsc check robots.txt --urls urls.txt --agent Googlebot' in a terminal.";
    if (error.where === "/urls") {
        return `${capital(what ?? "")}, and the page takes no more. Remove some URLs or agents. ${command}`;
    }
    if (error.where !== null) {
        return `${capital(what ?? "")}, and the page takes no more.`;
    }
    const sizeOfUrls = urls.reduce((size, url) => size + url.length, 0);
    const sizeOfFile = Math.max(current().robots.length, current().before.length);
    if (sizeOfUrls <= LARGE && sizeOfFile <= LARGE) {
        return sentenceOf(error);
    }
    if (sizeOfUrls > sizeOfFile) {
        return `${urls.length.toLocaleString("en")} URLs are more than the page takes at a time. Remove some. ${command}`;
    }
    return (
        "This robots.txt is larger than the page takes. Crawlers read only the start of such a file, Googlebot its first 500 KiB: " +
        "cut it there, or run 'robotsc lint robots.txt' in a terminal."
    );
}

/** Returns a value as it is shown in a sentence. */
function short(value: string): string {
    return value.length > 200 ? `${value.slice(0, 200)}…` : value;
}

function capital(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
}
