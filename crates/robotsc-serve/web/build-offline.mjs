// Builds the page as files, which any host serves and which works as `file://`: `node build-offline.mjs MODULE FOLDER`.
// All is in one script, with the worker and the module in it: a page that was opened as a file may load nothing else.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, writeFile, mkdir } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import * as path from "node:path";
import * as esbuild from "esbuild";

import { options, root } from "./options.mjs";

const [module, folder] = process.argv.slice(2);
if (folder === undefined) {
    throw new Error("name the module and the folder: node build-offline.mjs MODULE FOLDER");
}

/** Packs bytes as `src/lzma.ts` unpacks them. */
function pack(bytes) {
    const script =
        "import lzma, sys; lzma1 = {'id': lzma.FILTER_LZMA1, 'preset': 9 | lzma.PRESET_EXTREME, 'lc': 2, 'lp': 0, 'pb': 0, 'nice_len': 273};" +
        "sys.stdout.buffer.write(lzma.compress(sys.stdin.buffer.read(), format=lzma.FORMAT_RAW, filters=[lzma1]))";
    return execFileSync("python3", ["-c", script], { input: bytes, maxBuffer: 1 << 26 });
}

/** Returns what a file of the page exports. */
async function imported(file) {
    const built = await esbuild.build({ ...options, entryPoints: [file], format: "esm" });
    return import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString("base64")}`);
}

/** Makes an import hold a text. */
function embedded(name, text) {
    return {
        name,
        setup(build) {
            build.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: name }));
            build.onLoad({ filter: /./, namespace: name }, () => ({ contents: text, loader: "text" }));
        },
    };
}

async function script(entry, plugin, define = {}) {
    const built = await esbuild.build({ ...options, entryPoints: [entry], format: "iife", plugins: [plugin], define });
    return built.outputFiles[0].text;
}

const { split, join } = await imported("src/columns.ts");
const original = await readFile(module);
const { bytes, ...columns } = split(original);
if (!original.equals(join({ bytes, ...columns }))) {
    throw new Error("src/columns.ts does not put the module together as it was");
}
const worker = await script("src/worker.ts", embedded("module", pack(bytes).toString("base64")), {
    MODULE_BYTES: String(bytes.length),
    MODULE_COLUMNS: JSON.stringify(columns),
});
const page = await script("src/offline.ts", embedded("worker", worker));
const css = (await esbuild.build({ ...options, entryPoints: ["src/page.css"] })).outputFiles[0].text;

// The editor brings styles of its own, which it marks with this.
const nonce = createHash("sha256").update(page).update(css).digest("base64url").slice(0, 22);
const policy = [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src blob:",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src data: blob:",
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
].join("; ");

/** Replaces a text that is there. */
function replaced(text, before, after) {
    if (!text.includes(before)) {
        throw new Error(`src/index.html has no ${before}`);
    }
    return text.replace(before, after);
}

let index = await readFile(path.join(root, "src", "index.html"), "utf8");
index = replaced(index, '<meta charset="utf-8">', `<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">`);
index = replaced(index, "/assets/page.css", "page.css");
// A module would be fetched as from another origin, which a page that was opened as a file may not do.
index = replaced(index, '<script type="module" src="/assets/page.js" nonce="__NONCE__">', `<script defer src="page.js" nonce="${nonce}">`);

await mkdir(folder, { recursive: true });
const files = { "index.html": index, "page.css": css, "page.js": page };
const sizes = [];
for (const [name, text] of Object.entries(files)) {
    await writeFile(path.join(folder, name), text);
    sizes.push(gzipSync(text, { level: 9, memLevel: 9 }).length);
}
console.log(`${path.join(folder, "index.html")}: ${sizes.reduce((sum, one) => sum + one)} bytes compressed (${sizes.join(" + ")})`);
