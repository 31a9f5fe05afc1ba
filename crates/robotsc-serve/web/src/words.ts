// The sentences of answers.

import type { CheckAnswer } from "./api.ts";
import { percentEncoded } from "./base64.ts";

/** Returns an agent as the subject of a sentence: `*` is every agent that no group names. */
export function who(agent: string): string {
    return agent === "*" ? "Any other agent" : agent;
}

/** Returns whether an agent may fetch, as the words of a sentence. */
export function may(verdict: string | undefined): string {
    return verdict === "allowed" ? "may fetch" : verdict === "disallowed" ? "may not fetch" : "gets no answer for";
}

/** Returns why an answer is as it is. */
export function because(answer: CheckAnswer): string {
    if (answer.type === "error") {
        return answer.reason ?? "it has no answer";
    }
    if (answer.line) {
        const rule = ruleOf(answer);
        return rule ? `line ${answer.line}: ${rule}` : `line ${answer.line}`;
    }
    // After the colon the server says what that means: the verdict is beside it.
    return answer.reason?.split(":")[0] ?? "no rule matches";
}

/** Returns the rule that decides: what is not UTF-8 as a URL writes it. */
export function ruleOf({ rule, rule_b64 }: CheckAnswer): string | null | undefined {
    return rule_b64 === undefined ? rule : percentEncoded(rule_b64);
}

/** Returns an answer as one sentence. */
export function sentence(answer: CheckAnswer): string {
    const reason = because(answer).replace(/^(line \d+): /, "$1, ");
    return `${who(answer.agent)} ${may(answer.verdict)} ${answer.url}: ${reason}`;
}

/** Returns a number with its noun. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
    return `${number.toLocaleString("en")} ${number === 1 ? noun : plural}`;
}

/** Returns names as a list: "a, b and c". */
export function list(names: string[], most = Infinity): string {
    const shown = names.length > most ? names.slice(0, most) : names;
    const rest = names.length - shown.length;
    const all = rest > 0 ? [...shown, count(rest, "other")] : shown;
    const last = all.at(-1) ?? "";
    return all.length < 2 ? last : `${all.slice(0, -1).join(", ")} and ${last}`;
}

/** The purposes of the register, in the order in which site owners ask. */
export const PURPOSES: readonly [name: string, title: string][] = [
    ["search", "Search"],
    ["ai-training", "AI training"],
    ["ai-search", "AI search"],
    ["user-triggered", "For a user"],
    ["seo", "SEO tools"],
    ["ads", "Ads"],
    ["preview", "Link previews"],
    ["archive", "Archives"],
    ["monitoring", "Monitoring"],
    ["security", "Security"],
    ["research", "Research"],
    ["data", "Data"],
];

/** Returns the title of a purpose. */
export function purposeTitle(name: string): string {
    return PURPOSES.find(([known]) => known === name)?.[1] ?? name;
}
