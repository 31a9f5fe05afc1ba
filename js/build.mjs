// Builds dist/ of the package from src/ and the modules in wasm/, which ../.ci/js puts there.
import { copyFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { build } from "esbuild";

// Classes that callers compare have one file, which all entries import; the face asks the main entry.
const shared = ["index", "crawler", "errors"];
const entries = [...shared, "analysis", "cache", "runtime", "robots-parser"];
await rm("dist", { recursive: true, force: true });
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "--emitDeclarationOnly", "-p", "."], {
  stdio: "inherit",
});

for (const [format, ending] of [["esm", ".js"], ["cjs", ".cjs"]]) {
  await build({
    entryPoints: entries.map((name) => `src/${name}.ts`),
    outdir: "dist",
    outExtension: { ".js": ending },
    format,
    bundle: true,
    platform: "neutral",
    target: "es2022",
    minifySyntax: true,
    loader: { ".wasm": "binary" },
    plugins: [
      {
        name: "shared",
        setup(build) {
          const filter = new RegExp(`^\\./(?:${shared.join("|")})\\.js$`);
          const external = ({ path }) => ({ path: path.replace(/\.js$/, ending), external: true });
          build.onResolve({ filter }, external);
        },
      },
    ],
  });
}

// `require("robotsc/robots-parser")` is the function, as that of the package it replaces.
const face = await readFile("dist/robots-parser.cjs", "utf8");
await writeFile("dist/robots-parser.cjs", `${face}module.exports = Object.assign(robotsParser, module.exports);\n`);

// The types of CommonJS are the same, with the endings of CommonJS.
for (const file of await readdir("dist")) {
  if (!file.endsWith(".d.ts")) continue;
  const types = await readFile(`dist/${file}`, "utf8");
  await writeFile(`dist/${file.replace(/\.d\.ts$/, ".d.cts")}`, types.replaceAll('.js"', '.cjs"'));
}
await copyFile("../LICENSE-APACHE", "LICENSE-APACHE");
await copyFile("../LICENSE-MIT", "LICENSE-MIT");
