// The permanent link: the state as JSON, compressed with deflate, in base64url, in the fragment of the address. Browsers
// send no fragment to a server, so a link shows a file only to those who have the link.

import { fromBase64, toBase64 } from "./base64.ts";

/** The longest fragment that is read, in characters. */
const MAX_FRAGMENT = 2_000_000;
/** The most bytes that a fragment may decompress to. */
const MAX_STATE_BYTES = 8_000_000;
/** The version of the form, before the compressed state. */
const PREFIX = "1.";

/** Returns the fragment for a value, without `#`. */
export async function encode(value: unknown): Promise<string> {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    return PREFIX + toBase64Url(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** Returns the value of a fragment, which is not trusted. Throws an error with a sentence if it is none. */
export async function decode(fragment: string): Promise<unknown> {
    if (!fragment.startsWith(PREFIX)) {
        throw new Error("this link was made by another version of the page");
    }
    if (fragment.length > MAX_FRAGMENT) {
        throw new Error("this link is too long");
    }
    const bytes = fromBase64Url(fragment.slice(PREFIX.length));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let text = "";
    let size = 0;
    try {
        for (;;) {
            const { done, value } = await reader.read();
            if (done) {
                break;
            }
            size += value.length;
            if (size > MAX_STATE_BYTES) {
                await reader.cancel();
                throw new Error("this link holds too much");
            }
            text += decoder.decode(value, { stream: true });
        }
        text += decoder.decode();
        return JSON.parse(text) as unknown;
    } catch (error) {
        if (error instanceof Error && error.message.startsWith("this link")) {
            throw error;
        }
        throw new Error("this link is not complete: copy all of it");
    }
}

function toBase64Url(bytes: Uint8Array): string {
    return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
    try {
        return fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
    } catch {
        throw new Error("this link is not complete: copy all of it");
    }
}
