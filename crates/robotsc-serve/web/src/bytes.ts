// Positions. The server counts bytes of UTF-8, the editor UTF-16 units: in "ä/b" the slash is byte 2 and unit 1.

/** The distance of two remembered positions, in UTF-16 units. */
const STEP = 4096;

/** Converts byte offsets to UTF-16 offsets. */
export interface Offsets {
    /** Returns the offset of the character that contains a byte, at most the length of the text. */
    toUnits(byte: number): number;
}

/** Converts byte offsets into a text to UTF-16 offsets. Cost: one pass over the text, then at most 4096 units each. */
export class ByteOffsets implements Offsets {
    readonly #text: string;
    /** The bytes before each STEP-th unit; null if all characters are ASCII. */
    readonly #marks: Uint32Array | null;

    constructor(text: string) {
        this.#text = text;
        this.#marks = isAscii(text) ? null : marks(text);
    }

    /** Returns the offset of the character that contains a byte, at most the length of the text. */
    toUnits(byte: number): number {
        if (this.#marks === null) {
            return Math.min(byte, this.#text.length);
        }
        let low = 0;
        let high = this.#marks.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if ((this.#marks[middle] ?? 0) <= byte) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        let unit = low * STEP;
        let at = this.#marks[low] ?? 0;
        if (isSecondHalf(this.#text, unit)) {
            unit += 1;
        }
        while (unit < this.#text.length) {
            const point = this.#text.codePointAt(unit) ?? 0;
            const next = at + bytesOf(point);
            if (next > byte) {
                break;
            }
            at = next;
            unit += point > 0xffff ? 2 : 1;
        }
        return unit;
    }
}

function isAscii(text: string): boolean {
    return /^[\u0000-\u007f]*$/.test(text);
}

function isSecondHalf(text: string, unit: number): boolean {
    return unit > 0 && (text.codePointAt(unit - 1) ?? 0) > 0xffff;
}

function marks(text: string): Uint32Array {
    const marks = new Uint32Array(Math.floor(text.length / STEP) + 1);
    let at = 0;
    let unit = 0;
    while (unit < text.length) {
        if (unit % STEP === 0) {
            marks[unit / STEP] = at;
        }
        const point = text.codePointAt(unit) ?? 0;
        at += bytesOf(point);
        unit += 1;
        if (point > 0xffff) {
            // A mark between the halves of a pair counts all bytes of the pair: `toUnits` starts after it.
            if (unit % STEP === 0) {
                marks[unit / STEP] = at;
            }
            unit += 1;
        }
    }
    if (unit % STEP === 0) {
        marks[unit / STEP] = at;
    }
    return marks;
}

function bytesOf(point: number): number {
    return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}

/**
 * Converts byte offsets into a file that is not UTF-8 to offsets into the text that the editor shows of it, where all
 * lines end with a line feed. Cost: one pass over the file, then the bytes before the offset in its line.
 */
export class RawOffsets implements Offsets {
    readonly #bytes: Uint8Array;
    readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    /** Where each line starts, in bytes and in units, and where it ends, in bytes. */
    readonly #lines: { start: number; end: number; unit: number }[] = [];

    constructor(bytes: Uint8Array) {
        this.#bytes = bytes;
        const [feed, carriageReturn] = [0x0a, 0x0d];
        let start = 0;
        let unit = 0;
        for (let at = 0; at <= bytes.length; at += 1) {
            const byte = bytes[at];
            if (byte === undefined || byte === feed || byte === carriageReturn) {
                this.#lines.push({ start, end: at, unit });
                unit += this.#unitsOf(start, at) + 1;
                if (byte === carriageReturn && bytes[at + 1] === feed) {
                    at += 1;
                }
                start = at + 1;
            }
        }
    }

    toUnits(byte: number): number {
        let low = 0;
        let high = this.#lines.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if ((this.#lines[middle]?.start ?? 0) <= byte) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        const { start, end, unit } = this.#lines[low] ?? { start: 0, end: 0, unit: 0 };
        return unit + this.#unitsOf(start, Math.min(byte, end));
    }

    #unitsOf(start: number, end: number): number {
        return this.#decoder.decode(this.#bytes.subarray(start, end)).length;
    }
}
