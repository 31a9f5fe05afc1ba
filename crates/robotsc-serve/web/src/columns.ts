// The code of a WebAssembly module in columns: packed by LZMA, the module takes 7 % less if the opcodes stand
// together, and what follows each opcode in a column of its own.
//
//     local.get 3  i32.load align=2 offset=8  call 70      opcodes: 20 28 10   of 20: 3   of 28: 2, 8   of 10: 70
//
// The same walk takes a module apart and puts it together: what each byte is depends on the bytes before it alone.

/** A number in bytes of seven bits, all but the last of which have the highest bit. */
const MORE = 0x80;
const CODE_SECTION = 10;
/** The bytes before the first section. */
const PREFACE = 8;

/** The sizes of bodies and what their locals are, as if these were opcodes. */
const [SIZES, LOCALS, OPCODES] = [0x100, 0x101, 0x102];
/** The columns: two for each opcode. */
const COLUMNS = 2 * 0x103;

/** A module in columns: the bytes beside its code, the code by column, and the length of each column. */
export interface Columns {
    bytes: Uint8Array;
    /** The number of bytes before the code. */
    before: number;
    /** The number of functions. */
    bodies: number;
    /** The number of bytes of the code. */
    code: number;
    lengths: number[];
}

/** Takes one byte after another from a column to the code, or from the code to a column. */
interface Copy {
    /** Where the code has come to. */
    at: number;
    byte(column: number): number;
}

/** Copies a number; what does not fit 32 bits is cut. */
function number(copy: Copy, column: number): number {
    let [value, shift, byte] = [0, 0, MORE];
    for (; byte >= MORE; shift += 7) {
        byte = copy.byte(column);
        value |= (byte & (MORE - 1)) << shift;
    }
    return value >>> 0;
}

/** Copies what follows an opcode. */
function operands(copy: Copy, opcode: number): void {
    const [first, second] = [2 * opcode, 2 * opcode + 1];
    const numbers = (count: number) => {
        for (; count > 0; count -= 1) {
            number(copy, first);
        }
    };
    const bytes = (count: number) => {
        for (; count > 0; count -= 1) {
            copy.byte(first);
        }
    };
    if (opcode >= 0x28 && opcode <= 0x3e) {
        number(copy, first);
        number(copy, second);
    } else if (opcode === 0x0e) {
        numbers(number(copy, first) + 1);
    } else if (opcode === 0x11) {
        numbers(2);
    } else if (opcode === 0x43 || opcode === 0x44) {
        bytes(opcode === 0x43 ? 4 : 8);
    } else if (opcode === 0xfc) {
        const code = number(copy, first);
        numbers(code < 8 ? 0 : [2, 1, 2, 1, 2, 1, 2][code - 8] ?? 1);
    } else if (opcode === 0x1c || opcode > 0xfc || (opcode > 0xc4 && opcode !== 0xd0 && opcode !== 0xd1 && opcode !== 0xd2)) {
        throw new Error(`the module has an instruction that is not known: ${opcode}`);
    } else if (HAS_NUMBER.has(opcode)) {
        number(copy, first);
    }
}

/** Blocks, branches, calls, variables, the size of the memory, constants, and references to functions. */
const HAS_NUMBER = new Set([
    0x02, 0x03, 0x04, 0x0c, 0x0d, 0x10, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x3f, 0x40, 0x41, 0x42, 0xd0, 0xd2,
]);

/** Copies all functions. */
function walk(copy: Copy, bodies: number): void {
    for (; bodies > 0; bodies -= 1) {
        const size = number(copy, 2 * SIZES);
        const end = copy.at + size;
        for (let groups = number(copy, 2 * LOCALS); groups > 0; groups -= 1) {
            number(copy, 2 * LOCALS);
            copy.byte(2 * LOCALS + 1);
        }
        while (copy.at < end) {
            operands(copy, copy.byte(2 * OPCODES));
        }
    }
}

/** Takes a module apart. */
export function split(module: Uint8Array): Columns {
    const columns: number[][] = Array.from({ length: COLUMNS }, () => []);
    let [start, end, bodies] = [module.length, module.length, 0];
    const read: Copy = { at: PREFACE, byte: () => module[read.at++]! };
    while (read.at < module.length) {
        const section = read.byte(0);
        const size = number(read, 0);
        const next = read.at + size;
        if (section === CODE_SECTION) {
            bodies = number(read, 0);
            [start, end] = [read.at, next];
        }
        read.at = next;
    }
    const copy: Copy = {
        at: start,
        byte: (column) => {
            const byte = module[copy.at++]!;
            columns[column]!.push(byte);
            return byte;
        },
    };
    walk(copy, bodies);
    const beside = [module.subarray(0, start), module.subarray(end)];
    const bytes = new Uint8Array([...beside.flatMap((part) => [...part]), ...columns.flat()]);
    return { bytes, before: start, bodies, code: end - start, lengths: columns.map((column) => column.length) };
}

/** Puts a module together. Throws an error if the columns are not those of one. */
export function join({ bytes, before, bodies, code, lengths }: Columns): Uint8Array<ArrayBuffer> {
    const module = new Uint8Array(bytes.length);
    const beside = bytes.length - code;
    module.set(bytes.subarray(0, before));
    module.set(bytes.subarray(before, beside), before + code);
    let end = beside;
    const next = lengths.map((length) => (end += length) - length);
    const copy: Copy = { at: before, byte: (column) => (module[copy.at++] = bytes[next[column]!++]!) };
    walk(copy, bodies);
    if (copy.at !== before + code) {
        throw new Error("the module is damaged");
    }
    return module;
}
