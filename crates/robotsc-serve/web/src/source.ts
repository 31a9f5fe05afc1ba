// What the server gets of a file. The editor shows text, but the bytes of a file can be something else: a Latin-1
// `/b\xfcro` is shown as `/b�ro`, and the rule `/b�ro` matches other URLs.
//
// So the state keeps the bytes of a file that is not UTF-8 beside its text. The server gets the bytes as long as the text
// is what they show, which undoing an edit brings back. After an edit it gets the text.

import { fromBase64, toBase64 } from "./base64.ts";
import { ByteOffsets, RawOffsets, type Offsets } from "./bytes.ts";
import type { State } from "./state.ts";

/** A file as a request holds it. While it is typed it can have no directive yet: the findings say so. */
export type Source = ({ text: string } | { base64: string }) & { site?: string; force: true };

/** Which file of the state: the version to compare with, or the current one. */
export type Version = "before" | "robots";

const BYTES_OF = { robots: "robotsBytes", before: "beforeBytes" } as const;

/** The texts that files show, by their base64: the two versions, and those that they replaced. */
const shown = new Map<string, string>();
const MAX_SHOWN = 4;

/** Returns the part of the state that holds a file: a new one is of no site that was fetched. */
export function version(key: Version, file: { text: string; base64: string }): Partial<State> {
    const isNew = key === "robots" ? { site: "", unread: "" } : {};
    return { [key]: file.text, [BYTES_OF[key]]: file.base64, ...isNew };
}

/** Returns a file as the editor shows it, and its bytes in base64 if they are not UTF-8. */
export function decodeText(bytes: Uint8Array): { text: string; base64: string } {
    try {
        return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), base64: "" };
    } catch {
        return { text: showBytes(bytes), base64: toBase64(bytes) };
    }
}

/** Returns what a request holds of a version. */
export function source(state: Readonly<State>, key: Version = "robots"): Source {
    const file = isBytes(state, key) ? { base64: state[BYTES_OF[key]] } : { text: state[key] };
    const site = key === "robots" && state.site !== "" ? { site: state.site } : {};
    return { ...file, ...site, force: true };
}

/** Returns the offsets into what `source` returns, as positions in the editor. */
export function offsets(state: Readonly<State>): Offsets {
    return isBytes(state, "robots") ? new RawOffsets(fromBase64(state.robotsBytes)) : new ByteOffsets(state.robots);
}

/** Reports whether a version is tested as its bytes, or no longer since an edit; null if it is UTF-8. */
export function encoding(state: Readonly<State>, key: Version): "bytes" | "edited" | null {
    if (isBytes(state, key)) {
        return "bytes";
    }
    const isKept = state[BYTES_OF[key]] !== "" && textOf(state[BYTES_OF[key]]) !== null;
    return isKept && state[key].includes("\ufffd") ? "edited" : null;
}

/** Returns the part of the state that undoes all edits of a file that is not UTF-8. */
export function unedited(state: Readonly<State>, key: Version): Partial<State> {
    return { [key]: textOf(state[BYTES_OF[key]]) ?? state[key] };
}

/** Returns the state for a link. It holds no bytes of a file that the text no longer shows, and no failed fetch. */
export function forLink(state: Readonly<State>): State {
    const kept = { ...state, unread: "" };
    for (const key of ["robots", "before"] as const) {
        if (!isBytes(state, key)) {
            kept[BYTES_OF[key]] = "";
        }
    }
    return kept;
}

function isBytes(state: Readonly<State>, key: Version): boolean {
    const base64 = state[BYTES_OF[key]];
    return base64 !== "" && textOf(base64) === state[key];
}

/** Returns the text that bytes in base64 show, or null if a link brought something else. */
function textOf(base64: string): string | null {
    let text = shown.get(base64);
    if (text === undefined) {
        try {
            text = showBytes(fromBase64(base64));
        } catch {
            return null;
        }
        if (shown.size >= MAX_SHOWN) {
            shown.clear();
        }
        shown.set(base64, text);
    }
    return text;
}

/** Returns bytes as the editor shows them: it ends each line with a line feed. */
function showBytes(bytes: Uint8Array): string {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).replace(/\r\n?/g, "\n");
}
