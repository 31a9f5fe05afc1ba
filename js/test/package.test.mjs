// What the package holds, and that its memory stays flat.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { parse } from "robotsc";
import { parse as parseAnalysed } from "robotsc/analysis";

const require = createRequire(import.meta.url);
const folder = dirname(require.resolve("robotsc/package.json"));

test("the package holds what it is made of, and no path of the machine that built it", () => {
  const top = readdirSync(folder).sort();
  assert.deepEqual(top, ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "dist", "package.json"]);
  const files = readdirSync(join(folder, "dist"), { recursive: true });
  for (const file of files) {
    if (file === "workerd") continue;
    assert.match(file, /^(?:[a-z-]+\.(?:d\.)?c?[jt]s|workerd\/[a-z-]+\.(?:js|wasm))$/);
    const bytes = readFileSync(join(folder, "dist", file));
    const embedded = [...bytes.toString("latin1").matchAll(/[A-Za-z0-9+/=]{1000,}/g)];
    const modules = file.endsWith(".wasm") ? [bytes] : embedded.map(([base64]) => Buffer.from(base64, "base64"));
    assert.ok(!file.startsWith("workerd/") || !file.endsWith(".js") || modules.length === 0, `${file} compiles bytes`);
    for (const module of modules) {
      assert.equal(module.subarray(0, 4).toString("latin1"), "\0asm");
      assert.ok(!/\/root\/|\/home\/|\/work\//.test(module.toString("latin1")), `a path in ${file}`);
      console.log(`${file}: ${gzipSync(module, { level: 9 }).length} bytes of module as gzip`);
    }
  }
});

test("both kinds of modules, and the first verdict of a new process", () => {
  const text = '"User-agent: *\\nDisallow: /a"';
  for (const load of ['const { parse } = require("robotsc")', 'const { parse } = await import("robotsc")']) {
    const ask = `const start = performance.now();
      if (parse(${text}).isAllowed("FooBot", "/a")) process.exit(1);
      console.log((performance.now() - start).toFixed(1) + " ms");`;
    const code = load.includes("await") ? `(async () => { ${load}; ${ask} })()` : `${load}; ${ask}`;
    console.log(`first verdict: ${execFileSync(process.execPath, ["-e", code], { encoding: "utf8" }).trim()}`);
  }
  assert.equal(typeof require("robotsc/robots-parser"), "function");
  assert.equal(require("robotsc/robots-parser").default, require("robotsc/robots-parser"));
});

test("memory stays flat over many parses", async () => {
  const text = readFileSync(join(process.env.ROBOTSC_REPOSITORY, "examples/shop.robots.txt"), "utf8");
  const round = () => {
    for (let count = 0; count < 2_000; count++) {
      const robots = parse(text);
      robots.isAllowed("FooBot", "https://shop.example/cart");
      robots.dispose();
    }
  };
  round();
  const probe = parse(text);
  const before = probe.engine.memoryBytes;
  for (let count = 0; count < 20; count++) round();
  assert.equal(probe.engine.memoryBytes, before);
  // Without dispose: what was collected is freed.
  for (let count = 0; count < 20; count++) {
    for (let at = 0; at < 500; at++) parse(text).matcher("FooBot");
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  assert.ok(probe.engine.memoryBytes <= before + (8 << 20), `${before} to ${probe.engine.memoryBytes} bytes`);
});

test("texts of any length are written whole, beside each other and while memory grows", () => {
  // Over and under the length from which a text is encoded first; characters of one to four bytes.
  for (const filler of ["x", "\u00fc", "\u20ac", "\u{1f600}"]) {
    for (const length of [0, 1, 1 << 15, (1 << 16) - 1, 1 << 16, (1 << 16) + 1]) {
      const start = `# ${filler.repeat(length)}\n`;
      const file = parse(`${start}User-agent: ${"FooBot"}\nDisallow: /\u20ac/\nDisallow: /last`);
      const matcher = file.matcher("FooBot");
      const long = `/\u20ac/${filler.repeat(length)}`;
      assert.deepEqual([...matcher.allowed([long, "/", "/last", `/x${long}`])], [0, 1, 0, 1], `${filler} ${length}`);
      assert.equal(matcher.isAllowed(long), false);
      assert.equal(file.isAllowed("FooBot", "/last"), false);
      assert.equal(file.isAllowed("BarBot", long), true);
    }
  }
  const small = parse("User-agent: *\nDisallow: /cart\n").matcher("FooBot");
  const kept = [];
  for (let bytes = 1 << 16; bytes <= 1 << 24; bytes *= 4) {
    // Each file and each list is larger than what was reserved.
    kept.push(parse(`User-agent: *\nDisallow: /${"a".repeat(bytes)}`));
    assert.equal(small.isAllowed("/cart/1"), false);
    const urls = Array.from({ length: bytes / 64 }, (_, at) => (at % 2 ? "/cart" : "/shop"));
    const answers = small.allowed(urls);
    assert.equal(answers.length, urls.length);
    assert.ok(answers.every((answer, at) => answer === (at % 2 ? 0 : 1)), `${bytes}`);
  }
});

test("explain, lint, fix, diff, format and preferences answer as the command does", () => {
  const robots = parseAnalysed("User-agent: *\nDisallow: /cart\nDisallow: /cart\nContent-Usage: train-ai=n\n");
  assert.equal(robots.explain("FooBot", "/cart").rule.line, 2);
  assert.ok(robots.lint().some((finding) => finding.line === 3 && finding.fix.safe));
  assert.doesNotMatch(robots.fix().text, /cart[^]*cart/);
  assert.equal(robots.diff(parseAnalysed("User-agent: *\nDisallow: /\n")).summary.result, "different");
  assert.equal(robots.format({ minify: true }).rules, 1);
  assert.equal(robots.preferences("FooBot", "/").content_usage.labels["train-ai"].preference, "no");
  assert.equal(robots.preferences("FooBot", "/cart"), undefined);
  // A page allows everything, and whoever asks why is told.
  const page = parseAnalysed("<!DOCTYPE html>\n<p>Just a moment</p>\n");
  const [finding] = page.lint();
  const [diagnostic] = page.explain("FooBot", "/").diagnostics;
  assert.deepEqual([page.bodyKind, diagnostic.code, diagnostic.message], ["html", "not-robots-txt", finding.message]);
  assert.deepEqual([robots.bodyKind, robots.explain("FooBot", "/").diagnostics], ["robots", []]);
  assert.equal(parse("<p>\n</p>\n").bodyKind, "html");
  // As the register documents it.
  assert.match(parseAnalysed("User-agent: Googlebot\nDisallow: /\n").explain("Googlebot-Image", "/").note, /Googlebot/);
});
