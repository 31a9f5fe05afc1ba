// The module answers, in a worker of this page. The worker is a part of the script: a page that was opened as a file may
// load no other.

import worker from "worker";
import { ApiError, type Answer, type Answers } from "./api.ts";
import { TOO_LARGE } from "./status.ts";

/** How long an answer may take, in milliseconds: what takes longer is ended, as the server does. */
const ANSWER_TIME = 20_000;

/** A request for the worker. Without a body it is a `GET`. */
export interface Question {
    number: number;
    path: string;
    body: string | undefined;
}

/** What the worker says. A status of 0: the module stopped, and has to be started again. */
export interface Told extends Answer {
    number: number;
}

interface Waiting extends Question {
    signal: AbortSignal | undefined;
    resolve(answer: Answer): void;
    reject(error: unknown): void;
}

export class OfflineAnswers implements Answers {
    readonly isLocal = true;
    #worker = this.#start();
    #number = 0;
    /** What the worker answers now, and what waits for it: one at a time, so that what is replaced meanwhile is dropped. */
    #asked: Waiting | null = null;
    readonly #waiting: Waiting[] = [];
    #timer: ReturnType<typeof setTimeout> | undefined;

    useToken(): void {
        throw new Error("there is no server that asks for a token");
    }

    ask(path: string, body: string | undefined, signal: AbortSignal | undefined): Promise<Answer> {
        return new Promise((resolve, reject) => {
            this.#number += 1;
            this.#waiting.push({ number: this.#number, path, body, signal, resolve, reject });
            this.#next();
        });
    }

    #start(): Worker {
        const address = URL.createObjectURL(new Blob([worker], { type: "text/javascript" }));
        const started = new Worker(address);
        started.addEventListener("message", ({ data }: MessageEvent<Told>) => {
            URL.revokeObjectURL(address);
            if (data.number === this.#asked?.number) {
                this.#told(data);
            }
        });
        started.addEventListener("error", (event) => this.#failed(event.message));
        return started;
    }

    #next(): void {
        while (this.#asked === null) {
            const next = this.#waiting.shift();
            if (next === undefined) {
                return;
            }
            if (next.signal?.aborted === true) {
                next.reject(next.signal.reason);
                continue;
            }
            const { number, path, body } = next;
            this.#asked = next;
            this.#timer = setTimeout(() => this.#ended(), ANSWER_TIME);
            this.#worker.postMessage({ number, path, body } satisfies Question);
        }
    }

    #told({ status, text }: Told): void {
        if (status === 0) {
            this.#failed(text);
        } else {
            this.#done()?.resolve({ status, text });
            this.#next();
        }
    }

    /** The module stopped: what it was asked has no answer. */
    #failed(what: string): void {
        this.#again(new ApiError(`This browser could not answer: ${what || "the module stopped"}. Please report it.`, 0));
    }

    /** An answer took too long. */
    #ended(): void {
        this.#again(new ApiError(`The answer takes over ${ANSWER_TIME / 1000} s: ask for less`, TOO_LARGE));
    }

    #again(error: ApiError): void {
        this.#worker.terminate();
        this.#worker = this.#start();
        this.#done()?.reject(error);
        this.#next();
    }

    #done(): Waiting | null {
        clearTimeout(this.#timer);
        const asked = this.#asked;
        this.#asked = null;
        return asked;
    }
}
