// Wrong calls throw. None is ever answered, least of all with "allowed".
import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { AgentError, Crawler, parse, ProgramError, RobotsError, UrlError } from "robotsc";
import * as analysis from "robotsc/analysis";
import { Program } from "robotsc/runtime";
import robotsParser from "robotsc/robots-parser";

const CLOSED = "User-agent: *\nDisallow: /\n";
const robots = parse(CLOSED);
const analysed = analysis.parse(CLOSED);
const matcher = robots.matcher("FooBot");
const program = new Program(matcher.compile());
const face = robotsParser("https://h/robots.txt", CLOSED);
const ofSite = parse(CLOSED, { origin: "https://a.example" });
const OTHER = "https://b.example/x";
const detached = () => {
  const bytes = new TextEncoder().encode("User-agent: *\nDisallow: /\n");
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
};
const gone = (make) => {
  const object = make();
  object.dispose();
  return object;
};
const values = [
  undefined, null, NaN, Infinity, 0, 1, true, false, {}, [], ["/"], Symbol("x"), () => "/", new String("/"), new Date(0), 10n,
  { toString: () => "/robots.txt" }, { [Symbol.toPrimitive]: () => "/" }, new Proxy({}, {}), new Map(), Promise.resolve("/"),
];

const calls = [];
for (const value of values) {
  if (value !== undefined && value !== null) {
    calls.push([`body of the face ${String(value?.constructor?.name ?? value)}`, () => robotsParser("https://h/robots.txt", value), TypeError]);
  }
  calls.push([`parse(${String(value?.constructor?.name ?? value)})`, () => parse(value)]);
  calls.push([`isAllowed agent ${typeof value}`, () => robots.isAllowed(value, "/")]);
  calls.push([`isAllowed URL ${typeof value}`, () => robots.isAllowed("FooBot", value)]);
  calls.push([`matcher URL ${typeof value}`, () => matcher.isAllowed(value)]);
  calls.push([`allowed with a ${typeof value}`, () => matcher.allowed(["/", value])]);
  calls.push([`program of ${typeof value}`, () => new Program(value)]);
  calls.push([`program URL ${typeof value}`, () => program.isAllowed(value)]);
  calls.push([`explain URL ${typeof value}`, () => analysed.explain("FooBot", value)]);
  calls.push([`diff ${typeof value}`, () => analysed.diff(value)]);
  if (!Array.isArray(value)) calls.push([`allowed(${typeof value})`, () => matcher.allowed(value)]);
}
calls.push(
  ["no arguments", () => robots.isAllowed()],
  ["options that are null", () => parse(CLOSED, null), /options are a plain object, not null/],
  ["options that are an array", () => parse(CLOSED, []), TypeError],
  ["options that are a map", () => parse(CLOSED, new Map()), TypeError],
  ["constructor of a crawler", () => new Crawler("FooBot"), /Crawler\.of/],
  ["body of a response, not awaited", () => parse(Promise.resolve(CLOSED)), /a Promise: .*await response\.text\(\)/],
  ["promise in place of the body of the face", () => robotsParser("https://h/robots.txt", Promise.resolve(CLOSED)), /await response\.text\(\)/],
  ["response in place of the body of the face", () => robotsParser("https://h/robots.txt", new Response(CLOSED)), TypeError],
  ["response in place of its body", () => parse(new Response(CLOSED)), /a Response: .*await response\.text\(\)/],
  ["no body", () => parse(undefined), /a string, .*await response\.text\(\)/],
  ["star, by its message", () => robots.isAllowed("*", "/"), /Crawler\.others\(\)/],
  ["header, by its message", () => robots.isAllowed("Mozilla/5.0 (compatible; FooBot/1.0)", "/"), /^[^:]*: (?!.*::)/],
  ["method without its object", () => ["/"].map(matcher.isAllowed), /taken off its object/],
  ["method of a file without it", () => { const { isAllowed } = robots; return isAllowed("FooBot", "/"); }, /taken off/],
  ["empty agent", () => robots.isAllowed("", "/"), AgentError],
  ["star as an agent", () => robots.isAllowed("*", "/"), AgentError],
  ["agent with a version", () => robots.isAllowed("FooBot/2.1", "/"), AgentError],
  ["agent with a blank", () => robots.isAllowed("Foo Bot", "/"), AgentError],
  ["agent with a surrogate", () => robots.isAllowed("Foo\ud800", "/"), RobotsError],
  ["agent with a line end", () => robots.isAllowed("Foo\nBar", "/"), AgentError],
  ["no names", () => Crawler.chain(), AgentError],
  ["a wrong name in a pool", () => robots.isAllowed(Crawler.pool("Foo", "a b"), "/"), AgentError],
  ["a forged crawler", () => robots.isAllowed({ way: 4, names: [] }, "/"), TypeError],
  ["empty URL", () => robots.isAllowed("FooBot", ""), UrlError],
  ["arguments in another order", () => robots.isAllowed("https://h/", "FooBot"), RobotsError],
  ["mailto", () => robots.isAllowed("FooBot", "mailto:me@shop.example"), UrlError],
  ["URL without a host", () => robots.isAllowed("FooBot", "https:///x"), UrlError],
  ["bare host", () => robots.isAllowed("FooBot", "shop.example/x"), UrlError],
  ["lone high surrogate", () => matcher.isAllowed("/\ud800"), UrlError],
  ["lone low surrogate", () => matcher.isAllowed("/\udc00x"), UrlError],
  ["surrogates in two URLs", () => matcher.allowed(["/\ud83d", "\ude00"]), UrlError],
  ["wrong URL among many", () => matcher.allowed(["/", "mailto:x"]), UrlError],
  ["unknown option of allowed", () => matcher.allowed(["/"], { wrongs: "disallow" }), TypeError],
  ["unknown value of wrong", () => matcher.allowed(["/"], { wrong: "allow" }), TypeError],
  ["holes in an array", () => matcher.allowed(new Array(3)), TypeError],
  ["lone surrogate in a body", () => parse("User-agent: *\nDisallow: /\ud800\n"), RobotsError],
  ["path in place of the text", () => parse("/tmp/robots.txt"), RobotsError],
  ["URL in place of the text", () => parse("https://shop.example/robots.txt"), RobotsError],
  ["detached body", () => parse(detached()), TypeError],
  ["detached buffer", () => parse(detached().buffer), TypeError],
  ["detached program", () => new Program(detached()), TypeError],
  ["another typed array", () => parse(new Uint16Array(8)), TypeError],
  ["data view", () => parse(new DataView(new ArrayBuffer(8))), TypeError],
  ["unknown dialect", () => parse(CLOSED, { dialect: "bing" }), RobotsError],
  ["dialect of another type", () => parse(CLOSED, { dialect: 1 }), TypeError],
  ["unknown option", () => parse(CLOSED, { dialects: "google" }), TypeError],
  ["options of another type", () => parse(CLOSED, "google"), TypeError],
  ["origin that is none", () => parse(CLOSED, { origin: "shop.example" }), UrlError],
  ["empty origin", () => parse(CLOSED, { origin: "" }), RobotsError],
  ["URL of another origin", () => parse(CLOSED, { origin: "https://a.example" }).isAllowed("F", "https://b.example/"), UrlError],
  ["program of no bytes", () => new Program(new Uint8Array()), ProgramError],
  ["program of other bytes", () => new Program(new Uint8Array(100).fill(7)), ProgramError],
  ["program that was cut", () => new Program(matcher.compile().slice(0, -1)), ProgramError],
  ["program, URL without a scheme", () => program.isAllowed("shop.example/x")],
  ["program, path that is none", () => program.isPathAllowed(new TextEncoder().encode("x"))],
  ["file after dispose", () => gone(() => parse(CLOSED)).isAllowed("FooBot", "/"), RobotsError],
  ["matcher after dispose", () => gone(() => robots.matcher("FooBot")).isAllowed("/"), RobotsError],
  ["batch after dispose", () => gone(() => robots.matcher("FooBot")).allowed(["/"]), RobotsError],
  ["program after dispose", () => gone(() => new Program(matcher.compile())).isAllowed("/")],
  ["lint after dispose", () => gone(() => analysis.parse(CLOSED)).lint()],
  ["method of another object", () => robots.isAllowed.call({}, "FooBot", "/"), TypeError],
  ["method of a prototype", () => robots.isAllowed.call(Object.create(robots), "FooBot", "/"), TypeError],
  ["file of another entry", () => analysed.diff(robots), TypeError],
  ["huge URL", () => matcher.isAllowed("/".padEnd(400_000_000, "x")), RangeError],
  ["fix with a string", () => analysed.fix({ unsafe: "no" }), TypeError],
  ["huge body", () => parse(new Uint8Array(2 ** 30 + 1)), RangeError],
  ["huge program", () => new Program(new Uint8Array(2 ** 30 + 1)), RangeError],
  ["huge agent", () => robots.isAllowed("x".repeat(100_000) + " ", "/"), AgentError],
  ["shared buffer", () => parse(new SharedArrayBuffer(8)), TypeError],
  ["program with more bytes", () => new Program(Uint8Array.of(...matcher.compile(), 0)), ProgramError],
  ["program URL with a surrogate", () => program.isAllowed("/\ud800"), UrlError],
  ["deciding line of no URL", () => robots.decidingLine("FooBot", "x"), UrlError],
  ["deciding line of a number", () => robots.decidingLine("FooBot", 1), TypeError],
  ["delay of no agent", () => robots.crawlDelay(""), AgentError],
  ["path of a URL with a surrogate", () => robots.urlPath("/\udfff"), UrlError],
  ["preferences of no agent", () => analysed.preferences("a b", "/"), AgentError],
  ["format with a number", () => analysed.format({ minify: 1 }), TypeError],
  ["format with an unknown option", () => analysed.format({ minified: true }), TypeError],
  // A file is for one site.
  ["another site", () => ofSite.isAllowed("FooBot", OTHER), UrlError],
  ["another site, by the matcher", () => ofSite.matcher("FooBot").isAllowed(OTHER), UrlError],
  ["another site among many", () => ofSite.matcher("FooBot").allowed(["https://a.example/", OTHER]), UrlError],
  ["another port", () => ofSite.isAllowed("FooBot", "https://a.example:8443/"), UrlError],
  ["another scheme", () => ofSite.isAllowed("FooBot", "http://a.example/"), UrlError],
  ["a site within the name", () => ofSite.isAllowed("FooBot", "https://a.example.b.example/"), UrlError],
  ["a site as user information", () => ofSite.isAllowed("FooBot", "https://a.example@b.example/"), UrlError],
  ["the line of another site", () => ofSite.decidingLine("FooBot", OTHER), UrlError],
  ["the path of another site", () => ofSite.urlPath(OTHER), UrlError],
  ["explain another site", () => analysis.parse(CLOSED, { origin: "https://a.example" }).explain("FooBot", OTHER), UrlError],
  // What a message to a worker makes of an object has none of its methods.
  ["a file as a worker gets it", () => structuredClone(robots).isAllowed("FooBot", "/"), TypeError],
  ["a matcher as a worker gets it", () => matcher.isAllowed.call(structuredClone(matcher), "/"), TypeError],
  ["a crawler as a worker gets it", () => robots.isAllowed(structuredClone(Crawler.others()), "/"), TypeError],
  ["a program as a worker gets it", () => program.isAllowed.call(structuredClone(program), "/"), TypeError],
  ["a detached buffer that went to a worker", () => {
    const bytes = new TextEncoder().encode(CLOSED);
    const { port1, port2 } = new MessageChannel();
    port1.postMessage(bytes, [bytes.buffer]);
    port2.close();
    return parse(bytes);
  }, TypeError],
  ["the line after dispose", () => gone(() => parse(CLOSED)).decidingLine("FooBot", "/"), RobotsError],
  ["sitemaps after dispose", () => gone(() => parse(CLOSED)).sitemaps, RobotsError],
  ["a matcher of what was disposed", () => gone(() => parse(CLOSED)).matcher("FooBot"), RobotsError],
  ["compile after dispose", () => gone(() => robots.matcher("FooBot")).compile(), RobotsError],
  ["diff with what was disposed", () => analysed.diff(gone(() => analysis.parse(CLOSED))), RobotsError],
);
if (ArrayBuffer.prototype.resize) {
  calls.push(["resizable buffer", () => parse(new Uint8Array(new ArrayBuffer(8, { maxByteLength: 16 }))), TypeError]);
}

test(`${calls.length} wrong calls throw`, () => {
  for (const [name, call, kind = Error] of calls) {
    let answer;
    try {
      answer = call();
    } catch (error) {
      const isKind = kind instanceof RegExp ? kind.test(error.message) : error instanceof kind || error.name === kind.name;
      assert.ok(isKind && error.message !== "", `${name}: ${error.name}: ${error.message}`);
      assert.ok(!/module stopped/.test(error.message), `${name}: ${error.message}`);
      continue;
    }
    assert.fail(`${name}: answered ${String(answer)}`);
  }
  // Each was refused on its own: the next right call is answered.
  assert.equal(matcher.isAllowed("/x"), false);
  assert.deepEqual([...matcher.allowed(["/x", "mailto:x"], { wrong: "disallow" })], [0, 0]);
});

test("a worker has a module of its own", async () => {
  const code = `const { parentPort } = require("node:worker_threads");
    const { parse } = require("robotsc");
    const robots = parse(${JSON.stringify(CLOSED)});
    let refused = false;
    try { parse("x"); } catch { refused = true; }
    parentPort.postMessage({ isAllowed: robots.isAllowed("FooBot", "/x"), refused });`;
  const worker = new Worker(code, { eval: true });
  const told = await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  assert.deepEqual(told, { isAllowed: false, refused: true });
  await worker.terminate();
  assert.equal(matcher.isAllowed("/x"), false);
});

test("under `Disallow: /` nothing is allowed, whatever is asked", () => {
  let state = 42;
  const random = (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  const parts = ["/", "http://", "https://", "h", ":", "?", "#", "\\", "..", "%2e", "\ud800", "é", "\0", " ", "@", "*", "$", "x"];
  let answered = 0;
  for (let round = 0; round < 20_000; round++) {
    let url = random(2) ? "https://h/" : "";
    for (let count = random(8); count > 0; count--) url += parts[random(parts.length)];
    const asked = random(3) ? url : values[random(values.length)];
    for (const ask of [
      () => robots.isAllowed("FooBot", asked),
      () => matcher.isAllowed(asked),
      () => matcher.allowed([asked])[0] === 1,
      () => program.isAllowed(asked),
      () => face.isAllowed(asked, "FooBot"),
    ]) {
      let isAllowed = false;
      try {
        isAllowed = ask();
        answered++;
      } catch (error) {
        assert.ok(error instanceof Error);
      }
      // What is always allowed, under any rules.
      if (isAllowed) assert.match(String(asked), /robots\.txt/);
    }
  }
  assert.ok(answered > 10_000, String(answered));
});
