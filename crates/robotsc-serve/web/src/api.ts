// The answers. Each object has the form that the command prints as JSON; /openapi.json describes them all.

export interface About {
    version: string;
    dialects: { name: string; description: string }[];
    limits: Record<string, number>;
    pack: boolean;
    fetch: boolean;
}

export interface Agent {
    token: string;
    operator: string;
    purposes: string[];
    fallback: string[];
    robots: string;
    control: boolean;
    retired: boolean;
    successors: string[];
    source: string;
    note: string | null;
}

export interface CheckAnswer {
    /** Of an error `reason` says why there is no verdict. */
    type: "verdict" | "error";
    url: string;
    agent: string;
    verdict?: "allowed" | "disallowed";
    line?: number | null;
    rule?: string | null;
    /** In the place of `rule` if it is not UTF-8. */
    rule_b64?: string;
    start?: number | null;
    end?: number | null;
    agent_lines?: number[];
    reason?: string | null;
    /** What the register of known crawlers adds for this file. */
    note?: string | null;
}

export interface ExplainedRule {
    line: number | null;
    kind: "allow" | "disallow";
    verdict: string;
    length: number | null;
    pattern?: string;
    source?: string;
    /** In the place of `source` if it is not UTF-8. */
    source_b64?: string;
    start: number;
    end: number;
    origin: string;
}

export interface Explanation {
    verdict: "allowed" | "disallowed";
    dialect: string;
    path?: string;
    selection: {
        reason: "named" | "star" | "none" | "star-ignored";
        tokens: string[];
        groups: { first_line: number; last_line: number; agent_lines: number[] }[];
    };
    rule: ExplainedRule | null;
    also_matching: ExplainedRule[];
    other_dialects: { dialect: string; verdict?: string; line?: number | null; source?: string; error?: string }[];
}

export interface Edit {
    start: number;
    end: number;
    text: string;
}

export interface Finding {
    code: string;
    severity: "error" | "warning" | "note";
    line: number;
    start: number;
    end: number;
    message: string;
    witness: string | null;
    related_lines: number[];
    fix: { title: string; safe: boolean; edits: Edit[] } | null;
}

interface DiffRule {
    lines: number[];
    kind: string;
    value?: string;
}

export type DiffEntry =
    | {
          type: "rules";
          agents: string[];
          change: "newly-blocked" | "newly-allowed";
          path?: string;
          old: DiffRule | null;
          new: DiffRule | null;
          newly_named: string[];
          no_longer_named: string[];
          notes: string[];
          sentence: string;
      }
    | { type: "record"; agents?: string[]; record: string; removed: string[]; added: string[] }
    | { type: "not-decided"; agents: string[]; reason: string };

export interface DiffSummary {
    result: "same" | "different" | "not-decided";
    newly_blocked: number;
    newly_allowed: number;
    differing_lines: number;
    unchanged: string[];
}

/** A URL whose verdict differs. A line is 0 if no rule decides. */
export interface Flip {
    agents: string[];
    change: "newly-blocked" | "newly-allowed";
    url: string;
    old_line: number | null;
    new_line: number | null;
}

/** The number of URLs that were compared, and of those whose verdict differs. */
export interface FlipTotals {
    urls: number;
    flips: number;
}

export interface DiffAnswer {
    changes: DiffEntry[];
    summary: DiffSummary;
    /** Only if the request has URLs. */
    urls?: { flips: Flip[]; totals: FlipTotals };
}

/** What a site asks of crawlers. */
export interface PolicyForm {
    deny: string[];
    allow: string[];
    disallow: string[];
    content_usage: string | null;
    content_signal: string | null;
}

/** A file with a policy in a block. */
export interface WithPolicy {
    text?: string;
    /** In the place of `text` if it is not UTF-8. */
    text_b64?: string;
    changed: boolean;
    block: { first: number; last: number } | null;
    /** None if the block was taken out. */
    policy: PolicyForm | null;
    denied: string[];
    allowed: string[];
    kept: string[];
    /** The lines outside the block that went. */
    removed_lines: string[];
    proved: string[];
    notes: { agents: string[]; note: string }[];
}

export interface MatrixAgent {
    agent: string;
    allowed: number;
    disallowed: number;
    note: string | null;
}

export interface MatrixCell {
    verdict?: "allowed" | "disallowed";
    url?: string;
    agent: string;
    line?: number | null;
}

/** An error that the server answers with, or a sentence for one that kept it from answering. */
export class ApiError extends Error {
    /** A JSON pointer to the value of the request that is wrong. */
    readonly where: string | null;
    readonly status: number;

    constructor(message: string, status: number, where: string | null = null) {
        super(message);
        this.status = status;
        this.where = where;
    }
}

/** An answer: its status as HTTP has it, and its JSON. */
export interface Answer {
    status: number;
    text: string;
}

/** What answers the page: the server, or the module in the browser itself. */
export interface Answers {
    /** Whether all is answered in this browser, so that nothing can be fetched. */
    readonly isLocal: boolean;
    /** Answers a request of the HTTP API, a `GET` if it has no body. Throws an `ApiError` if there is no answer. */
    ask(path: string, body: string | undefined, signal: AbortSignal | undefined): Promise<Answer>;
    /** Uses a token for all later requests. It is kept for this page alone, and stored nowhere. */
    useToken(given: string): void;
}

let answers: Answers;

/** Says what answers the page. */
export function answerWith(given: Answers): void {
    answers = given;
}

/** Returns whether all is answered in this browser. */
export function isLocal(): boolean {
    return answers.isLocal;
}

/** Asks, and returns what is answered. Throws an `ApiError`. */
export async function call<T>(path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    const { status, text } = await answers.ask(path, body === undefined ? undefined : JSON.stringify(body), signal);
    if (status === 200) {
        return JSON.parse(text) as T;
    }
    throw problem(status, text);
}

/** Uses a token for all later requests. */
export function useToken(given: string): void {
    answers.useToken(given);
}

/** Returns whether an error only says that a newer request has replaced this one. */
export function isAborted(error: unknown): boolean {
    return error instanceof DOMException && error.name === "AbortError";
}

/** Runs only the newest of several jobs: a job that starts ends the one before. */
export class Latest {
    #running: AbortController | null = null;

    /** Ends the job that runs. */
    cancel(): void {
        this.#running?.abort();
    }

    /** Runs a job. What a replaced job returns or throws is dropped. */
    async run(job: (signal: AbortSignal) => Promise<void>, failed: (error: unknown) => void): Promise<void> {
        this.#running?.abort();
        const controller = new AbortController();
        this.#running = controller;
        try {
            await job(controller.signal);
        } catch (error) {
            if (!controller.signal.aborted && !isAborted(error)) {
                failed(error);
            }
        }
    }
}

/** Returns the sentence of an error. */
export function sentenceOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}

/** How long answers wait for another key, in milliseconds: an answer takes less time than the next key. */
export const ANSWER_PAUSE = 15;
/** How long analyses of a whole file wait for another key, in milliseconds. */
export const ANALYSIS_PAUSE = 80;

/** How long findings wait for another key, in milliseconds: they come when one pauses, and keep no answer waiting. */
export const FINDINGS_PAUSE = 300;

/** Returns a function that calls `action` when it has not been called for some milliseconds. */
export function debounced(action: () => void, milliseconds: number): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    return () => {
        clearTimeout(timer);
        timer = setTimeout(action, milliseconds);
    };
}

function problem(status: number, text: string): ApiError {
    let detail: unknown;
    let where: unknown;
    try {
        const document = JSON.parse(text) as { title?: unknown; detail?: unknown; where?: unknown };
        detail = document.detail ?? document.title;
        where = document.where;
    } catch {
        // Not every refusal has a document: a proxy's has none.
    }
    const sentence = typeof detail === "string" ? detail : `The server refused with status ${status}.`;
    return new ApiError(sentence, status, typeof where === "string" ? where : null);
}
