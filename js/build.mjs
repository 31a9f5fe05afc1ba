// Builds dist/ of the package from src/ and the modules in wasm/, which ../.ci/js puts there.
import { copyFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { build } from "esbuild";

// Classes that callers compare have one file, which all entries import; the face asks the main entry.
const shared = ["index", "crawler", "errors"];
const entries = [...shared, "analysis", "cache", "runtime", "robots-parser"];
await rm("dist", { recursive: true, force: true });
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "--emitDeclarationOnly", "-p", "."], {
  stdio: "inherit",
});

/** Leaves files apart from what imports them; `path` says from where they are imported instead of from src/. */
function left(filter, path) {
  const resolve = (given) => ({ path: path(given.path), external: true });
  return { name: "left", setup: (build) => build.onResolve({ filter }, resolve) };
}

const sharedFiles = new RegExp(`^\\./(?:${shared.join("|")})\\.js$`);
const options = { bundle: true, platform: "neutral", target: "es2022", minifySyntax: true };
for (const [format, ending] of [["esm", ".js"], ["cjs", ".cjs"]]) {
  await build({
    ...options,
    entryPoints: entries.map((name) => `src/${name}.ts`),
    outdir: "dist",
    outExtension: { ".js": ending },
    format,
    loader: { ".wasm": "binary" },
    plugins: [left(sharedFiles, (path) => path.replace(/\.js$/, ending))],
  });
}

// Cloudflare's Workers compile nothing from bytes: their tools load a module that a file imports. What differs there
// besides is in files of their own.
const own = {
  name: "own",
  setup: (build) => build.onResolve({ filter: /\/unawaited\.js$/ }, () => ({ path: resolve("src/unawaited-workerd.ts") })),
};
await build({
  ...options,
  entryPoints: entries.map((name) => `src/${name}.ts`),
  outdir: "dist/workerd",
  format: "esm",
  external: ["cloudflare:workers"],
  plugins: [own, left(sharedFiles, (path) => path), left(/\.wasm$/, (path) => path.replace("../wasm/", "./"))],
});
for (const module of ["walk", "matching", "cache", "analysis"]) {
  await copyFile(`wasm/${module}.wasm`, `dist/workerd/${module}.wasm`);
}

// `require("robotsc/robots-parser")` is the function, as that of the package it replaces.
const face = await readFile("dist/robots-parser.cjs", "utf8");
await writeFile("dist/robots-parser.cjs", `${face}module.exports = Object.assign(robotsParser, module.exports);\n`);

// The types of CommonJS are the same, with the endings of CommonJS.
for (const file of await readdir("dist")) {
  if (!file.endsWith(".d.ts")) continue;
  const types = await readFile(`dist/${file}`, "utf8");
  const required = file === "robots-parser.d.ts" ? asFunction(types) : types;
  await writeFile(`dist/${file.replace(/\.d\.ts$/, ".d.cts")}`, required.replaceAll('.js"', '.cjs"'));
}
await copyFile("../LICENSE-APACHE", "LICENSE-APACHE");
await copyFile("../LICENSE-MIT", "LICENSE-MIT");

/** Returns the types of the face for \`require\`, which returns the function itself. */
function asFunction(types) {
  const call = /^export declare function robotsParser.*;$/m.exec(types)[0];
  const named = types.replace(call, "").replace(/^export default .*$/m, "");
  const [imports] = /^(?:import .*\n)*/.exec(named);
  const inner = `${named.slice(imports.length)}export { robotsParser, robotsParser as default };\n`;
  const namespace = `declare namespace robotsParser {\n${inner}}\nexport = robotsParser;\n`;
  return `${imports}${call.replace("export ", "").replace(/\b(?=Body|Robot\b)/g, "robotsParser.")}\n${namespace}`;
}
