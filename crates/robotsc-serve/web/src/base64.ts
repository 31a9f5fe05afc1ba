// Base64: how JSON and links hold bytes.

/** Returns the bytes of a base64 text. Throws an error if it is none. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

/** Returns bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
    let binary = "";
    // In parts: each byte of a part is an argument of a call, and engines limit their number.
    for (let start = 0; start < bytes.length; start += 0x8000) {
        binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
    }
    return btoa(binary);
}

/** Returns bytes in base64 as a URL would write them: each byte that is not ASCII as `%FC`. */
export function percentEncoded(base64: string): string {
    return atob(base64).replace(/[\x80-\xff]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
