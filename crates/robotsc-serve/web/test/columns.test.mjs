// A module in columns, and put together again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const built = await esbuild.build({
    entryPoints: [fileURLToPath(new URL("../src/columns.ts", import.meta.url))],
    format: "esm",
    bundle: true,
    write: false,
});
const { join, split } = await import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString("base64")}`);

const PREFACE = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** A section of some bytes, fewer than 128. */
const section = (id, bytes) => [id, bytes.length, ...bytes];
const module = (...sections) => Uint8Array.from([...PREFACE, ...sections.flat()]);
/** The code section of one function without locals. */
const code = (...instructions) => {
    const body = [0, ...instructions.flat(), 0x0b];
    return section(10, [1, body.length, ...body]);
};
const [TYPE, DATA] = [section(1, [1, 0x60, 0, 0]), section(11, [0])];

for (const [name, instructions] of [
    ["nothing", []],
    ["a call and a local", [[0x20, 3], [0x10, 0xc6, 0x00], [0x1a]]],
    ["a load and a store", [[0x28, 2, 8], [0x36, 2, 0x90, 1]]],
    ["a table of branches", [[0x0e, 2, 0, 1, 2]]],
    ["constants", [[0x41, 0x7f], [0x42, 0x80, 0x80, 0x7f], [0x43, 1, 2, 3, 4], [0x44, 1, 2, 3, 4, 5, 6, 7, 0x8b]]],
    ["a call by a table", [[0x11, 4, 0]]],
    ["bytes that are copied, and conversions", [[0xfc, 10, 0, 0], [0xfc, 11, 0], [0xfc, 2], [0xc0]]],
    ["blocks", [[0x02, 0x40], [0x03, 0x7f], [0x0c, 0], [0x0b], [0x0b]]],
]) {
    test(`a module with ${name} is the same in columns`, () => {
        const whole = module(TYPE, code(...instructions), DATA);
        const columns = split(whole);
        assert.equal(columns.bytes.length, whole.length);
        assert.deepEqual(join(columns), whole);
    });
}

test("a module without code is the same in columns", () => {
    const whole = module(TYPE, DATA);
    assert.deepEqual(join(split(whole)), whole);
});

test("what follows an opcode has a column of its own", () => {
    const { bytes, before, code: length, lengths } = split(module(code([0x20, 1], [0x10, 9], [0x20, 2])));
    assert.deepEqual([...bytes.subarray(bytes.length - length)], [9, 1, 2, 8, 0, 0x20, 0x10, 0x20, 0x0b]);
    assert.equal(before, PREFACE.length + 3);
    assert.deepEqual([lengths[2 * 0x20], lengths[2 * 0x10]], [2, 1]);
});

test("an instruction that is not known, and columns of another module, are errors", () => {
    assert.throws(() => split(module(code([0xfd, 0]))), /not known: 253/);
    const columns = split(module(code([0x20, 1])));
    columns.bytes[columns.bytes.length - columns.code + 1] += 1;
    assert.throws(() => join(columns), /damaged/);
});
