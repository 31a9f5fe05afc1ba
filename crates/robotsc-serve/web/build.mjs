// Builds the page of the server: `node build.mjs` writes dist, `node build.mjs --check` fails if dist is not what would be written.
import { readFile, writeFile, mkdir, readdir } from "node:fs/promises";
import * as path from "node:path";
import * as esbuild from "esbuild";

import { options, root } from "./options.mjs";

const dist = path.join(root, "dist");

const built = await esbuild.build({
    ...options,
    entryPoints: [
        { in: "src/serve.ts", out: "page" },
        { in: "src/page.css", out: "page" },
    ],
    outdir: "dist",
    format: "esm",
});

const files = new Map(built.outputFiles.map((file) => [path.basename(file.path), Buffer.from(file.contents)]));
files.set("index.html", await readFile(path.join(root, "src", "index.html")));

if (process.argv.includes("--check")) {
    const found = await readdir(dist).catch(() => []);
    const stale = found.filter((name) => !files.has(name));
    for (const [name, contents] of files) {
        const committed = await readFile(path.join(dist, name)).catch(() => null);
        if (committed === null || !committed.equals(contents)) {
            stale.push(name);
        }
    }
    if (stale.length > 0) {
        console.error(`dist is not current: ${stale.join(", ")}: run 'npm run build' and commit web/dist`);
        process.exit(1);
    }
    console.log("dist is current");
} else {
    await mkdir(dist, { recursive: true });
    for (const [name, contents] of files) {
        await writeFile(path.join(dist, name), contents);
        console.log(`dist/${name}: ${contents.length} bytes`);
    }
}
