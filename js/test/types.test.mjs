// The types, as programs without the types of browsers and of Node read them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const folder = join(process.cwd(), "typed");
const compiler = join(process.env.ROBOTSC_REPOSITORY, "js/node_modules/typescript/bin/tsc");

const FILES = {
  "bare.mts": `import { parse, type ParseOptions } from "robotsc";
    import { parse as analysed } from "robotsc/analysis";
    import { Program } from "robotsc/runtime";
    import robotsParser from "robotsc/robots-parser";
    declare const dialect: "google" | undefined;
    const options: ParseOptions = { dialect, origin: undefined };
    const robots = parse("User-agent: *\\nDisallow: /\\n", options);
    const isAllowed: boolean = robots.isAllowed("FooBot", "/");
    const kind: string = robots.bodyKind;
    analysed("").fix({ unsafe: undefined });
    new Program(robots.matcher("FooBot").compile());
    const answer: boolean | undefined = robotsParser("https://h/robots.txt", "").isAllowed("https://h/");
    export { answer, isAllowed, kind };`,
  "cache.mts": `import { type CacheAnswer, type Fetch, RobotsCache } from "robotsc/cache";
    declare const fetch: Fetch;
    const cache = new RobotsCache("FooBot", { userAgent: "FooBot/1.0", fetch, timeout: undefined, cautious: true });
    const answer: CacheAnswer = await cache.check("https://h/", { signal: undefined });
    const line: number | null = answer.line;
    export { line };`,
  "required.cts": `import robotsParser = require("robotsc/robots-parser");
    import { robotsParser as named } from "robotsc/robots-parser";
    const robots: robotsParser.Robot = robotsParser("https://h/robots.txt", "");
    export const answers = [robots.isAllowed("https://h/"), named("https://h/robots.txt", "").isAllowed("https://h/")];
    import { parse } from "robotsc";
    export const isAllowed: boolean = parse("").isAllowed("FooBot", "/");`,
};
// With the types of a browser: its fetch, its signals, and what calls it.
const DOM = `import { RobotsCache } from "robotsc/cache";
  const cache = new RobotsCache("FooBot", { userAgent: "FooBot/1.0", fetch });
  new RobotsCache("FooBot", { userAgent: "FooBot/1.0", fetch: (url, init) => fetch(url, { ...init, mode: "cors" }) });
  await cache.isAllowed("https://h/", { signal: AbortSignal.timeout(9) });`;

function compile(files, lib) {
  mkdirSync(folder, { recursive: true });
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const compilerOptions = {
      lib, types: [], target: "es2022", module: "nodenext", strict: true, exactOptionalPropertyTypes: true,
      skipLibCheck: false, noEmit: true,
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
    const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
    assert.equal(status, 0, stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("without the types of browsers and of Node", () => compile(FILES, ["es2022"]));
test("with those of browsers", () => compile({ "dom.mts": DOM }, ["es2022", "dom"]));
