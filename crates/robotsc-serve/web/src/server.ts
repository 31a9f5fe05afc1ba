// The server answers, over HTTP.

import { ApiError, isAborted, type Answer, type Answers } from "./api.ts";

export class Server implements Answers {
    readonly isLocal = false;
    #token: string | null = null;

    useToken(given: string): void {
        this.#token = given;
    }

    async ask(path: string, body: string | undefined, signal: AbortSignal | undefined): Promise<Answer> {
        const headers: Record<string, string> = { Accept: "application/json" };
        if (this.#token !== null) {
            headers["Authorization"] = `Bearer ${this.#token}`;
        }
        const request: RequestInit = { headers, cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer" };
        if (signal !== undefined) {
            request.signal = signal;
        }
        if (body !== undefined) {
            headers["Content-Type"] = "application/json";
            request.method = "POST";
            request.body = body;
        }
        let response: Response;
        try {
            response = await fetch(path, request);
        } catch (error) {
            if (isAborted(error)) {
                throw error;
            }
            throw new ApiError("The server does not answer. Start 'robotsc serve' again, then reload this page.", 0);
        }
        return { status: response.status, text: await response.text() };
    }
}
