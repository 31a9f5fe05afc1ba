// `robotsc lsp` with the language client of CodeMirror, in a real browser: a bridge hands messages between the two.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

import { launch, robotsc } from "./harness.mjs";

/** A misspelt directive after characters of two and four bytes, and a line that formatting changes. */
const FILE = "# 😀 größe\nUser-agent: *\nDissallow: /größe/\nAllow: /cart/help\n\nUser-agent: GPTBot\nDisallow:/blog/\n";

/** Starts the server. Each message of it goes to `received`; returns how to send one, and how to end the server. */
function startServer(received) {
    const server = spawn(robotsc, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
    let read = Buffer.alloc(0);
    server.stdout.on("data", (chunk) => {
        read = Buffer.concat([read, chunk]);
        for (;;) {
            const end = read.indexOf("\r\n\r\n");
            const [, length] = /Content-Length: (\d+)/i.exec(read.toString("latin1", 0, Math.max(end, 0))) ?? [];
            const body = end + 4;
            if (length === undefined || read.length < body + Number(length)) {
                return;
            }
            received(read.toString("utf8", body, body + Number(length)));
            read = read.subarray(body + Number(length));
        }
    });
    return {
        send: (message) => server.stdin.write(`Content-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`),
        stop: () => server.kill("SIGTERM"),
    };
}

/** Returns semantic tokens as [line, first column, text, type]. */
function readTokens(data, legend, text) {
    const lines = text.split("\n");
    const tokens = [];
    let [line, column] = [0, 0];
    for (let at = 0; at < data.length; at += 5) {
        const [lineStep, columnStep, length, type] = data.slice(at, at + 4);
        column = lineStep > 0 ? columnStep : column + columnStep;
        line += lineStep;
        tokens.push([line, column, lines[line].slice(column, column + length), legend[type]]);
    }
    return tokens;
}

test("the language server answers CodeMirror's client in the browser", { timeout: 60_000 }, async () => {
    const built = await esbuild.build({
        entryPoints: [fileURLToPath(new URL("lsp-editor.mjs", import.meta.url))],
        format: "iife",
        bundle: true,
        write: false,
    });
    const browser = await launch();
    let server;
    try {
        const page = await browser.newPage();
        const broken = [];
        page.on("pageerror", (error) => broken.push(error.message));
        server = startServer((message) => void page.evaluate((message) => window.fromServer(message), message).catch(() => {}));
        await page.exposeFunction("toServer", (message) => void server.send(message));
        await page.setContent("<!doctype html><title>editor</title>");
        await page.addScriptTag({ content: built.outputFiles[0].text });
        const editor = await page.evaluateHandle((text) => window.openEditor(text), FILE);

        // Diagnostics, after characters of two and four bytes.
        await page.locator(".cm-lintRange", { hasText: /^Dissallow$/ }).waitFor();
        // Hover.
        await page.locator(".cm-line", { hasText: "GPTBot" }).getByText("GPTBot").hover();
        await page.locator(".cm-lsp-hover-tooltip").getByText("OpenAI").first().waitFor();
        await page.mouse.move(0, 0);
        // Completion.
        await page.locator(".cm-line", { hasText: "Allow: /cart/help" }).click();
        await page.keyboard.press("End");
        await page.keyboard.type("\nDisal", { delay: 30 });
        await page.locator(".cm-tooltip-autocomplete").getByText("Disallow").first().waitFor();
        await page.keyboard.press("Escape");
        // Formatting, of the text with the edit.
        await editor.evaluate((editor) => editor.format());
        await page.waitForFunction((editor) => editor.text().includes("Disallow: /blog/"), editor);

        const text = await editor.evaluate((editor) => editor.text());
        const legend = await editor.evaluate((editor) => editor.legend());
        const { data } = await editor.evaluate((editor) => editor.ask("textDocument/semanticTokens/full"));
        assert.deepEqual(readTokens(data, legend, text), [
            [0, 0, "# 😀 größe", "comment"],
            [1, 0, "User-agent", "keyword"],
            [1, 12, "*", "operator"],
            [2, 0, "Dissallow", "keyword"],
            [2, 11, "/größe/", "string"],
            [3, 0, "Allow", "keyword"],
            [3, 7, "/cart/help", "string"],
            [6, 0, "User-agent", "keyword"],
            [6, 12, "GPTBot", "class"],
            [7, 0, "Disallow", "keyword"],
            [7, 10, "/blog/", "string"],
        ]);
        const folds = await editor.evaluate((editor) => editor.ask("textDocument/foldingRange"));
        assert.deepEqual(folds.map(({ startLine, endLine }) => [startLine, endLine]), [[1, 3], [6, 7]]);
        assert.deepEqual(broken, []);
    } finally {
        await browser.close();
        server?.stop();
    }
});
