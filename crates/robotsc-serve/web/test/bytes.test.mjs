// Byte offsets as the server counts them, against an encoder, around the positions that are remembered.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const built = await esbuild.build({
    entryPoints: [fileURLToPath(new URL("../src/bytes.ts", import.meta.url))],
    format: "esm",
    bundle: true,
    write: false,
});
const { ByteOffsets, RawOffsets } = await import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString("base64")}`);

for (const [name, text] of [
    ["nothing", ""],
    ["ASCII", "User-agent: *\n".repeat(700)],
    ["two bytes", "ä/b".repeat(3000)],
    ["pairs that begin before a remembered position", `a${"😀".repeat(5000)}`],
    ["pairs that begin at one", "😀".repeat(5000)],
    ["all lengths", "aä漢😀".repeat(3000)],
]) {
    test(`offsets: ${name}`, () => {
        const offsets = new ByteOffsets(text);
        let byte = 0;
        let unit = 0;
        for (const char of text) {
            const bytes = Buffer.byteLength(char);
            assert.equal(offsets.toUnits(byte), unit, `byte ${byte}`);
            assert.equal(offsets.toUnits(byte + bytes - 1), unit, `the last byte of the character at ${byte}`);
            byte += bytes;
            unit += char.length;
        }
        assert.equal(offsets.toUnits(byte), unit);
        assert.equal(offsets.toUnits(byte + 1000), text.length);
    });
}

for (const [name, end] of [["line feeds", "\n"], ["carriage returns", "\r"], ["both", "\r\n"]]) {
    test(`offsets into a file that is not UTF-8, lines with ${name}`, () => {
        const rows = ["", "/b\xfcro", "", "\xe4\xf6\xfc", "\xf0\x9f\x98\x80/x", "\xf0\x9f\x98"];
        const file = Buffer.from(rows.join(end), "latin1");
        const offsets = new RawOffsets(file);
        const shown = file.toString("utf8").replace(/\r\n?/g, "\n");
        for (const mark of ["ro", "/x"]) {
            assert.equal(offsets.toUnits(file.indexOf(mark)), shown.indexOf(mark), mark);
        }
        for (let line = 0; line < rows.length; line += 1) {
            const start = rows.slice(0, line).join(end).length + (line > 0 ? end.length : 0);
            assert.equal(offsets.toUnits(start), shown.split("\n").slice(0, line).join("\n").length + (line > 0 ? 1 : 0), `line ${line}`);
        }
        assert.equal(offsets.toUnits(file.length + 1000), shown.length);
        assert.equal(new RawOffsets(Buffer.from(`\xff${end}`, "latin1")).toUnits(9), 2);
    });
}
