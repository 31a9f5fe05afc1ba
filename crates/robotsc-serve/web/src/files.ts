// Files: opened, dropped, and saved.

import { decodeText } from "./source.ts";

/** The largest file that is read, in bytes: crawlers read at most half a megabyte of a robots.txt. */
const MAX_FILE_BYTES = 4_000_000;

/** A file as text. */
export interface TextFile {
    name: string;
    text: string;
    /** Its bytes if they are not UTF-8, else empty. */
    base64: string;
}

/** Reads a file. Throws an error with a sentence if it is too large. */
export async function readText(file: File): Promise<TextFile> {
    if (file.size > MAX_FILE_BYTES) {
        throw new Error(`${file.name} has ${file.size.toLocaleString("en")} bytes: no robots.txt is that large.`);
    }
    return { name: file.name, ...decodeText(new Uint8Array(await file.arrayBuffer())) };
}

/** Opens the browser's dialog for a file. */
export function chooseFile(chosen: (file: File) => void): void {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = ".txt,text/plain";
    input.addEventListener("change", () => {
        const file = input.files?.[0];
        if (file !== undefined) {
            chosen(file);
        }
    });
    input.click();
}

/** Reads files that are dropped on an element. */
export function acceptDrops(element: HTMLElement, dropped: (file: File) => void): void {
    const hasFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    // In the capturing phase: the editor would insert the file as text where it was dropped.
    element.addEventListener(
        "dragover",
        (event) => {
            if (hasFile(event)) {
                event.preventDefault();
                element.classList.add("dropping");
            }
        },
        true,
    );
    element.addEventListener("dragleave", () => element.classList.remove("dropping"));
    element.addEventListener(
        "drop",
        (event) => {
            element.classList.remove("dropping");
            const file = event.dataTransfer?.files[0];
            if (file !== undefined) {
                event.preventDefault();
                event.stopPropagation();
                dropped(file);
            }
        },
        true,
    );
}

/** Saves a text as a file. */
export function save(name: string, type: string, text: string): void {
    const address = URL.createObjectURL(new Blob([text], { type }));
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Returns rows as CSV (RFC 4180). A field that a spreadsheet would read as a formula starts with an apostrophe. */
export function csv(rows: string[][]): string {
    const field = (text: string) => {
        const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
        return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    };
    return rows.map((row) => row.map(field).join(",") + "\r\n").join("");
}
