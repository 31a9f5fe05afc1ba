// Unpacks what was packed with LZMA: the module takes a quarter less than with the deflate of browsers.
//
// The stream has no header. Its parameters are those of the build: of a literal, the upper two bits of the byte before
// count, and positions do not.

const LITERAL_CONTEXT_BITS = 2;
const STATES = 12;
/** The state from which on the last thing was no literal. */
const FIRST_MATCH_STATE = 7;
const TOP = 2 ** 24;
const PROBABILITY_BITS = 11;
const HALF = 1 << (PROBABILITY_BITS - 1);
const SHIFT = 5;
const MIN_MATCH = 2;
const ALIGN_BITS = 4;
const SLOTS_WITH_BITS = 14;

function probabilities(count: number): Uint16Array {
    return new Uint16Array(count).fill(HALF);
}

/** Reads bits: each has a probability, which every reading of it changes. */
class RangeDecoder {
    #range = 0xffff_ffff;
    #code = 0;
    #at = 1;
    readonly #bytes: Uint8Array;

    constructor(bytes: Uint8Array) {
        this.#bytes = bytes;
        for (let count = 0; count < 4; count += 1) {
            this.#code = ((this.#code << 8) | this.#next()) >>> 0;
        }
    }

    #next(): number {
        if (this.#at >= this.#bytes.length) {
            throw new Error("the module is not complete");
        }
        return this.#bytes[this.#at++]!;
    }

    #normalize(): void {
        if (this.#range < TOP) {
            this.#range = (this.#range << 8) >>> 0;
            this.#code = ((this.#code << 8) | this.#next()) >>> 0;
        }
    }

    bit(table: Uint16Array, at: number): number {
        const probability = table[at]!;
        const bound = (this.#range >>> PROBABILITY_BITS) * probability;
        let bit: number;
        if (this.#code < bound) {
            this.#range = bound;
            table[at] = probability + (((1 << PROBABILITY_BITS) - probability) >> SHIFT);
            bit = 0;
        } else {
            this.#range -= bound;
            this.#code -= bound;
            table[at] = probability - (probability >> SHIFT);
            bit = 1;
        }
        this.#normalize();
        return bit;
    }

    /** Reads bits that have no probability, the highest first. */
    direct(count: number): number {
        let value = 0;
        for (let left = count; left > 0; left -= 1) {
            this.#range >>>= 1;
            const bit = this.#code >= this.#range ? 1 : 0;
            if (bit === 1) {
                this.#code -= this.#range;
            }
            value = value * 2 + bit;
            this.#normalize();
        }
        return value;
    }

    /** Reads a number of some bits, the highest first. */
    tree(table: Uint16Array, bits: number, base = 0): number {
        let node = 1;
        for (let left = bits; left > 0; left -= 1) {
            node = node * 2 + this.bit(table, base + node);
        }
        return node - (1 << bits);
    }

    /** Reads a number of some bits, the lowest first. */
    reverseTree(table: Uint16Array, bits: number, base = 0): number {
        let [node, value] = [1, 0];
        for (let place = 0; place < bits; place += 1) {
            const bit = this.bit(table, base + node);
            node = node * 2 + bit;
            value |= bit << place;
        }
        return value;
    }
}

/** The lengths of matches. */
class Lengths {
    readonly #choices = probabilities(2);
    readonly #low = probabilities(1 << 3);
    readonly #middle = probabilities(1 << 3);
    readonly #high = probabilities(1 << 8);

    read(bits: RangeDecoder): number {
        if (bits.bit(this.#choices, 0) === 0) {
            return MIN_MATCH + bits.tree(this.#low, 3);
        }
        if (bits.bit(this.#choices, 1) === 0) {
            return MIN_MATCH + 8 + bits.tree(this.#middle, 3);
        }
        return MIN_MATCH + 16 + bits.tree(this.#high, 8);
    }
}

/** The distances of matches, less one. */
class Distances {
    readonly #slots = probabilities(4 << 6);
    readonly #bits = probabilities(1 << 7);
    readonly #align = probabilities(1 << ALIGN_BITS);

    read(bits: RangeDecoder, length: number): number {
        const slot = bits.tree(this.#slots, 6, Math.min(length - MIN_MATCH, 3) << 6);
        if (slot < 4) {
            return slot;
        }
        const count = (slot >> 1) - 1;
        const base = (2 | (slot & 1)) * 2 ** count;
        if (slot < SLOTS_WITH_BITS) {
            return base + bits.reverseTree(this.#bits, count, base - slot);
        }
        return base + bits.direct(count - ALIGN_BITS) * (1 << ALIGN_BITS) + bits.reverseTree(this.#align, ALIGN_BITS);
    }
}

/** Returns the byte of a literal. After a match, the byte at the distance of the last match says what is likely. */
function literal(bits: RangeDecoder, table: Uint16Array, base: number, likely: number | null): number {
    let node = 1;
    if (likely !== null) {
        for (let place = 7; node < 0x100; place -= 1) {
            const expected = (likely >> place) & 1;
            const bit = bits.bit(table, base + ((1 + expected) << 8) + node);
            node = node * 2 + bit;
            if (bit !== expected) {
                break;
            }
        }
    }
    while (node < 0x100) {
        node = node * 2 + bits.bit(table, base + node);
    }
    return node & 0xff;
}

/** Unpacks bytes. Throws an error if they are not what `size` bytes were packed as. */
export function unpack(packed: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(size);
    const bits = new RangeDecoder(packed);
    const literals = probabilities(0x300 << LITERAL_CONTEXT_BITS);
    const [isMatch, isRepeat, isRepeat0, isRepeat1, isRepeat2, isLong] = Array.from({ length: 6 }, () => probabilities(STATES)) as [
        Uint16Array, Uint16Array, Uint16Array, Uint16Array, Uint16Array, Uint16Array,
    ];
    const [lengths, repeatLengths, distances] = [new Lengths(), new Lengths(), new Distances()];
    /** The last four distances, less one, the latest first. */
    let last: [number, number, number, number] = [0, 0, 0, 0];
    let [at, state] = [0, 0];
    while (at < size) {
        if (bits.bit(isMatch, state) === 0) {
            const before = at > 0 ? out[at - 1]! : 0;
            const likely = state >= FIRST_MATCH_STATE ? out[at - last[0] - 1]! : null;
            out[at++] = literal(bits, literals, 0x300 * (before >> (8 - LITERAL_CONTEXT_BITS)), likely);
            state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
            continue;
        }
        const afterLiteral = state < FIRST_MATCH_STATE;
        let length: number;
        if (bits.bit(isRepeat, state) === 0) {
            length = lengths.read(bits);
            last = [distances.read(bits, length), last[0], last[1], last[2]];
            state = afterLiteral ? 7 : 10;
        } else {
            let isShort = false;
            if (bits.bit(isRepeat0, state) === 0) {
                isShort = bits.bit(isLong, state) === 0;
            } else if (bits.bit(isRepeat1, state) === 0) {
                last = [last[1], last[0], last[2], last[3]];
            } else if (bits.bit(isRepeat2, state) === 0) {
                last = [last[2], last[0], last[1], last[3]];
            } else {
                last = [last[3], last[0], last[1], last[2]];
            }
            length = isShort ? 1 : repeatLengths.read(bits);
            state = isShort ? (afterLiteral ? 9 : 11) : afterLiteral ? 8 : 11;
        }
        const from = at - last[0] - 1;
        if (from < 0 || length > size - at) {
            throw new Error("the module is damaged");
        }
        for (let offset = 0; offset < length; offset += 1) {
            out[at + offset] = out[from + offset]!;
        }
        at += length;
    }
    return out;
}
