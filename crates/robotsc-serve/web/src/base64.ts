// Base64: how JSON and links hold bytes.

/** Returns the bytes of a base64 text. Throws an error if it is none. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}
