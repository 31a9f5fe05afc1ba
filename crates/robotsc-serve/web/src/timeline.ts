// A fetch, step by step: each URL that was asked for, what answered, and the headers that say something about the file.

import { percentEncoded } from "./base64.ts";
import { code, el } from "./dom.ts";
import { count } from "./words.ts";

/** A request of a fetch, and what came back. */
export interface Hop {
    url: string;
    /** Null if nothing answered. */
    status: number | null;
    version: string | null;
    address: string | null;
    dns_ms: number | null;
    connect_ms: number | null;
    tls_ms: number | null;
    head_ms: number | null;
    body_ms: number | null;
    /** By name; of a value that is not UTF-8 the name ends in `_b64`. */
    headers: Record<string, string>;
}

/** What a timeline is of. */
export interface Fetch {
    hops: Hop[];
    problem: string | null;
    took_ms: number;
    body_bytes: number;
}

/** The parts of the time of a hop, in their order. */
const STEPS = [
    ["dns_ms", "name"],
    ["connect_ms", "connection"],
    ["tls_ms", "TLS"],
    ["head_ms", "headers"],
    ["body_ms", "body"],
] as const;

/** Returns the steps of a fetch. They are open if there is more to see than one answer. */
export function timeline(fetch: Fetch, isOpen: boolean): HTMLElement {
    const answers = fetch.hops.map(({ status }) => (status === null ? "no answer" : String(status)));
    const requests = count(fetch.hops.length, "request");
    const summary = `${requests} in ${milliseconds(fetch.took_ms)}${answers.length > 0 ? `: ${answers.join(", then ")}` : ""}`;
    const details = el(
        "details",
        { class: "timeline" },
        el("summary", {}, summary),
        el("ol", {}, ...fetch.hops.map((hop, index) => step(hop, fetch, index === fetch.hops.length - 1))),
    );
    details.open = isOpen;
    return details;
}

function step(hop: Hop, fetch: Fetch, isLast: boolean): HTMLElement {
    const parts = STEPS.flatMap(([key, name]) => {
        const time = hop[key];
        return time === null ? [] : [`${name} ${milliseconds(time)}`];
    });
    const place = hop.address === null ? "" : ` at ${hop.address}`;
    const answer = hop.status === null ? "no answer" : `status ${hop.status}${hop.version === null ? "" : `, ${hop.version}`}`;
    const body = isLast && hop.status !== null ? `, ${count(fetch.body_bytes, "byte")}` : "";
    return el(
        "li",
        {},
        code(hop.url),
        el("p", {}, `${answer}${place}${body}`),
        isLast && fetch.problem !== null && el("p", { class: "problem" }, fetch.problem),
        parts.length > 0 && el("p", { class: "hint" }, parts.join(" · ")),
        el(
            "dl",
            {},
            ...Object.entries(hop.headers).flatMap(([name, value]) => [
                el("dt", {}, name.replace(/_b64$/, "")),
                el("dd", {}, name.endsWith("_b64") ? percentEncoded(value) : value),
            ]),
        ),
    );
}

function milliseconds(time: number): string {
    return time < 1 ? "under 1 ms" : `${Math.round(time).toLocaleString("en")} ms`;
}
