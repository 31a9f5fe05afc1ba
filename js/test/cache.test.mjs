// A crawler's cache over `fetch`: it asks once, keeps what the dialect says, and never allows what it does not know.
import assert from "node:assert/strict";
import * as http from "node:http";
import { after, before, test } from "node:test";
import { Readable } from "node:stream";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { AgentError, crawleeHook, DisallowedError, RobotsCache, UrlError } from "robotsc/cache";

const USER_AGENT = "FooBot/1.0 (+https://foo.example/bot)";
const RULES = "User-agent: *\nDisallow: /cart\n";

let server;
let site;
/** Answers of the site by path; what it was asked, with the header fields. */
let pages = {};
let asked = [];

before(async () => {
  server = http.createServer((request, response) => {
    asked.push({ url: request.url, ...request.headers });
    const answer = pages[request.url] ?? ((_, response) => response.writeHead(404).end("no"));
    answer(request, response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  site = `http://127.0.0.1:${server.address().port}`;
});

after(() => {
  server.closeAllConnections();
  server.close();
});

const ok = (body, headers = {}) => (_, response) => response.writeHead(200, headers).end(body);
const to = (location, status = 301) => (_, response) => response.writeHead(status, { Location: location }).end();

/** Returns a cache whose clock the test sets. */
function make(given = {}) {
  const clock = { at: 1_790_000_000_000 };
  asked = [];
  return { clock, cache: new RobotsCache("FooBot", { userAgent: USER_AGENT, now: () => clock.at, ...given }) };
}

test("a site is asked once, however many wait, and again when its file expires", async () => {
  pages = { "/robots.txt": ok(RULES, { "Cache-Control": "max-age=600", ETag: '"a1"' }) };
  const { cache, clock } = make();
  assert.equal(cache.peek(`${site}/x`).verdict, "unknown");
  const answers = await Promise.all(["/x", "/cart/1", "/y"].map((path) => cache.isAllowed(site + path)));
  assert.deepEqual(answers, [true, false, true]);
  assert.equal(asked.length, 1);
  assert.equal(asked[0]["user-agent"], USER_AGENT);
  clock.at += 500_000;
  assert.equal(await cache.isAllowed(`${site}/x`), true);
  assert.equal(asked.length, 1);
  clock.at += 200_000;
  pages["/robots.txt"] = (request, response) => response.writeHead(request.headers["if-none-match"] === '"a1"' ? 304 : 500).end();
  assert.deepEqual([await cache.isAllowed(`${site}/x`), await cache.isAllowed(`${site}/cart`)], [true, false]);
  assert.equal(asked.length, 2);
  assert.equal(asked[1]["if-none-match"], '"a1"');
  assert.equal((await cache.check(`${site}/cart`)).reason, "rule");
});

test("a file is fetched again before it expires, and nobody waits for it", async () => {
  pages = { "/robots.txt": ok(RULES, { "Cache-Control": "max-age=1000" }) };
  const { cache, clock } = make();
  await cache.check(`${site}/x`);
  clock.at += 950_000;
  pages["/robots.txt"] = ok("User-agent: *\nDisallow: /\n");
  assert.equal(await cache.isAllowed(`${site}/x`), true);
  for (let tries = 0; cache.peek(`${site}/x`).verdict === "allowed"; tries++) {
    assert.ok(tries < 200, "the refresh ends");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.equal(asked.length, 2);
});

const LONG_RULES = `User-agent: *\n${Array.from({ length: 300 }, (_, at) => `Disallow: /${(at * 7919) % 1000}${at}\n`).join("")}`;
const LONG = `User-agent: *\n${"# a line that counts for nobody\n".repeat(40_000)}`;
for (const [name, robots, verdict, more = {}] of [
  ["rules", { "/robots.txt": ok("User-agent: FooBot\nDisallow: /\n") }, "disallowed"],
  ["rules in gzip, if they are asked for so", { "/robots.txt": (request, response) => {
    const isPlain = request.headers["accept-encoding"] === "identity";
    response.writeHead(200, isPlain ? {} : { "Content-Encoding": "gzip" }).end(isPlain ? RULES : gzipSync(RULES));
  } }, "allowed"],
  // Nobody can say whether a body is whole that was decoded out of sight.
  ["rules in gzip", { "/robots.txt": ok(gzipSync("User-agent: *\nAllow: /\n"), { "Content-Encoding": "gzip" }) }, "unknown"],
  ...[["gzip", gzipSync], ["deflate", deflateSync], ["br", brotliCompressSync]].map(([name, compress]) => [
    `${name} that was cut`,
    { "/robots.txt": ok(compress(`${LONG_RULES}Disallow: /\n`).subarray(0, 2_000), { "Content-Encoding": name }) },
    "unknown",
  ]),
  ["no file", {}, "allowed"],
  ["an error of the server", { "/robots.txt": (_, response) => response.writeHead(503).end(RULES) }, "disallowed"],
  ["too many requests", { "/robots.txt": (_, response) => response.writeHead(429).end() }, "disallowed"],
  ["a redirect", { "/robots.txt": to("/other"), "/other": ok("User-agent: *\nDisallow: /\n") }, "disallowed"],
  ["a loop", { "/robots.txt": to("/other"), "/other": to("/robots.txt") }, "allowed"],
  ["six redirects", Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((at) => [at === 0 ? "/robots.txt" : `/${at}`, to(`/${at + 1}`)])), "allowed"],
  ["a redirect to another scheme", { "/robots.txt": to("ftp://127.0.0.1/robots.txt") }, "disallowed"],
  ["a redirect to no URL", { "/robots.txt": to("http://[") }, "disallowed"],
  ["a body that breaks off", { "/robots.txt": (_, response) => {
    response.writeHead(200, { "Content-Length": "1000" });
    response.write("User-agent: *\n");
    setTimeout(() => response.destroy(), 20);
  } }, "disallowed"],
  ["a connection that breaks off", { "/robots.txt": (_, response) => response.destroy() }, "disallowed"],
  ["304 to no question", { "/robots.txt": (_, response) => response.writeHead(304).end() }, "disallowed"],
  ["a server that is slow", { "/robots.txt": () => {} }, "disallowed", { timeout: 200 }],
  ["a large file", { "/robots.txt": ok(LONG + "Disallow: /\n") }, "allowed"],
  ["a fetch of a browser, which is no method of another object", {}, "allowed", { fetch: function (...given) {
    if (this !== undefined) throw new TypeError("Illegal invocation");
    return fetch(...given);
  } }],
  ["a fetch that throws", {}, "unknown", { fetch: () => { throw new Error("no"); } }],
  ["an answer that a browser hides", {}, "unknown", { fetch: async () => Response.error() }],
  ["a fetch that follows redirects", {}, "unknown", { fetch: async () => Object.defineProperty(new Response(""), "redirected", { value: true }) }],
]) {
  test(`${name}: ${verdict}`, async () => {
    pages = robots;
    const { cache } = make(more);
    const answer = await cache.check(`${site}/x`);
    assert.equal(answer.verdict, verdict, answer.text);
    assert.equal(await cache.isAllowed(`${site}/x`), verdict === "allowed");
    assert.equal(answer.text.split(":", 1)[0], verdict);
    // A server that failed is left alone.
    assert.ok(asked.filter(({ url }) => url === "/robots.txt").length <= 1);
  });
}

test("a fetch that was lost is started again, once, by those that wait for it", { timeout: 10_000 }, async () => {
  pages = { "/robots.txt": ok(RULES) };
  let fetches = 0;
  // As in a Worker whose request has ended: the fetch that it began says nothing any more.
  const { cache } = make({ timeout: 500, fetch: (...given) => (fetches++ === 0 ? new Promise(() => {}) : fetch(...given)) });
  void cache.isAllowed(`${site}/x`);
  const answers = await Promise.all(["/x", "/cart/1", "/y"].map((path) => cache.isAllowed(site + path)));
  assert.deepEqual(answers, [true, false, true]);
  assert.equal(fetches, 2);
});

test("a site that keeps failing, and comes back", async () => {
  pages = { "/robots.txt": (_, response) => response.writeHead(500).end() };
  const { cache, clock } = make();
  assert.equal(await cache.isAllowed(`${site}/x`), false);
  clock.at += 100_000;
  assert.equal(await cache.isAllowed(`${site}/x`), false);
  assert.equal(asked.length, 1, "it is left alone");
  clock.at += 300_000;
  pages["/robots.txt"] = ok(RULES);
  assert.equal(await cache.isAllowed(`${site}/x`), true);
  assert.equal(asked.length, 2);
});

test("wrong calls throw", async () => {
  const { cache } = make();
  for (const [given, kind] of [
    [{}, TypeError],
    [{ userAgent: "Other/1.0" }, AgentError],
    [{ userAgent: "FooBot\r\nX: y" }, TypeError],
    [{ userAgent: USER_AGENT, timeout: NaN }, TypeError],
    [{ userAgent: USER_AGENT, timeout: 0 }, RangeError],
    [{ userAgent: USER_AGENT, memory: 1 }, RangeError],
    [{ userAgent: USER_AGENT, fetch: "fetch" }, TypeError],
    [{ userAgent: USER_AGENT, dialect: "bing" }, Error],
    [{ userAgent: USER_AGENT, ahead: 1 }, TypeError],
    [{ userAgent: USER_AGENT, cautious: 1 }, TypeError],
    [{ userAgent: USER_AGENT, maxFetches: 0 }, RangeError],
  ]) {
    assert.throws(() => new RobotsCache("FooBot", given), kind, JSON.stringify(given));
  }
  assert.throws(() => new RobotsCache("Foo Bot", { userAgent: "Foo Bot" }), AgentError);
  for (const url of ["/x", "shop.example/x", "mailto:x", "", "https:///", "/\ud800"]) {
    await assert.rejects(cache.isAllowed(url), UrlError, url);
  }
  await assert.rejects(cache.isAllowed(undefined), TypeError);
  await assert.rejects(make({ now: () => NaN }).cache.isAllowed(`${site}/x`), RangeError);
  await assert.rejects(make({ now: () => 1_790_000_000 }).cache.isAllowed(`${site}/x`), /milliseconds/);
  for (const given of ["FooBot", null, 5, [], { signals: 1 }, { signal: 1 }, AbortSignal.abort()]) {
    await assert.rejects(cache.check(`${site}/x`, given), TypeError);
  }
  assert.throws(() => crawleeHook(undefined), /RobotsCache/);
  assert.throws(() => new RobotsCache("FooBot", { userAgent: USER_AGENT, dialect: "bing" }), /rfc9309/);
  const { isAllowed } = cache;
  await assert.rejects(isAllowed(`${site}/x`), /taken off its object/);
  cache.dispose();
  await assert.rejects(cache.isAllowed(`${site}/x`), /disposed/);
  assert.deepEqual(asked, []);
});

test("the hook fails a request that is not allowed, before it is sent", async () => {
  pages = { "/robots.txt": ok(RULES) };
  const hook = crawleeHook(make().cache);
  const allowed = { url: `${site}/x` };
  await hook({ request: allowed });
  assert.equal(allowed.noRetry, undefined);
  const request = { url: `${site}/cart` };
  await assert.rejects(hook({ request }), (error) => error instanceof DisallowedError && error.answer.reason === "rule");
  assert.equal(request.noRetry, true);
  // A site that fails can be asked again later.
  pages = { "/robots.txt": (_, response) => response.writeHead(503).end() };
  const failing = { url: `${site}/cart` };
  await assert.rejects(crawleeHook(make().cache)({ request: failing }), DisallowedError);
  assert.equal(failing.noRetry, undefined);
});

for (const [name, robots, path, expected, more = {}] of [
  ["a rule", ok(RULES), "/cart", { reason: "rule", line: 2, end: "status", status: 200, bodyKind: "robots" }],
  ["no rule", ok(RULES), "/x", { reason: "no-rule", line: null, status: 200, bodyKind: "robots" }],
  ["robots.txt itself", ok(RULES), "/robots.txt", { reason: "robots-txt", line: null, status: null }],
  ["no file", (_, response) => response.writeHead(404).end(), "/x", { reason: "unavailable", status: 404 }],
  ["a loop", to("/robots.txt"), "/x", { reason: "redirects", end: "redirect-loop", status: null }],
  ["a failure of the server", (_, response) => response.writeHead(503, { "Retry-After": "900" }).end(), "/x", { reason: "server-error", status: 503, retryAt: 1_790_000_900_000 }],
  ["no answer", () => {}, "/x", { reason: "unreachable", end: "timeout", retryAt: 1_790_000_300_000 }, { timeout: 100 }],
  ["a page in its place", ok("<!DOCTYPE html>\n<p>A page</p>\n"), "/x", { verdict: "allowed", reason: "no-rule", bodyKind: "html" }],
  ["a page in its place, cautious", ok("<!DOCTYPE html>\n<p>A page</p>\n"), "/x", { verdict: "disallowed", reason: "unreachable", status: 200, bodyKind: "html" }, { cautious: true }],
  ["403, cautious", (_, response) => response.writeHead(403).end(), "/x", { verdict: "disallowed", reason: "unreachable", status: 403 }, { cautious: true }],
  ["gzip", ok(gzipSync(RULES), { "Content-Encoding": "gzip" }), "/x", { verdict: "unknown", reason: "unreachable", end: "incomplete", retryAt: 1_790_000_300_000 }],
  ["an error of the caller", ok(RULES), "/x", { verdict: "unknown", reason: "unreachable", end: "refused", retryAt: 1_790_000_300_000 }, { fetch: () => { throw new Error("10.0.0.1 is private"); } }],
]) {
  test(`what decided: ${name}`, async () => {
    pages = { "/robots.txt": robots };
    const { cache } = make(more);
    assert.equal(cache.peek(`${site}/x`).reason, "not-held");
    const answer = await cache.check(site + path);
    for (const [field, value] of Object.entries(expected)) assert.equal(answer[field], value, `${field}: ${answer.text}`);
    assert.doesNotMatch(answer.text, /fetch https?:/);
    if (more.fetch !== undefined) assert.match(answer.text, /10\.0\.0\.1 is private/);
    if (expected.bodyKind === "html") assert.match(answer.text, /HTML/);
    assert.equal(answer.robotsUrl, `${site}/robots.txt`);
  });
}

test("what a caller's own fetch throws never opens a site; that the network fails does, as the dialect says", async () => {
  const failed = new TypeError("Failed to fetch");
  for (const [name, error, opens, browser] of [
    ["a guard", new Error("10.0.0.1 is private"), false],
    ["a bug", new TypeError("x is not a function"), false],
    ["a string", "no", false],
    ["the network", Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } }), true],
    ["the network, by another client", Object.assign(new Error("no"), { code: "ENOTFOUND" }), true],
    ["the fetch of a host", failed, true, "Host"],
    // As a browser says that a site has no CORS header.
    ["that of a page", failed, false, "document"],
    ["that of a Web Worker", failed, false, "WorkerGlobalScope"],
  ]) {
    let calls = 0;
    const own = async () => { calls++; throw error; };
    const host = globalThis.fetch;
    if (browser !== undefined) globalThis[browser] = {};
    if (browser !== undefined) globalThis.fetch = own;
    const { cache, clock } = make(browser === undefined ? { fetch: own } : {});
    globalThis.fetch = host;
    const start = clock.at;
    let opened;
    for (; clock.at < start + 40 * 86_400_000; clock.at += 3_600_000) {
      const answer = await cache.check("https://shop.example/x");
      if (answer.verdict === "allowed") opened ??= answer;
    }
    if (browser !== undefined) delete globalThis[browser];
    assert.equal(opened !== undefined, opens, name);
    if (opens) assert.match(opened.text, /failed for so long/);
    assert.ok(calls < 200, `${name} is asked ${calls} times`);
  }
});

test("what is no response throws, and is no empty file", async () => {
  const headers = new Headers();
  const text = async () => RULES;
  const bytes = new TextEncoder().encode(RULES);
  const stream = (part) => new ReadableStream({ start: (to) => (to.enqueue(part), to.close()) });
  for (const [response, message] of [
    [undefined, /no Response/],
    [RULES, /no Response/],
    [{ status: 200, ok: true, headers, text }, /new Response/],
    [{ status: "200", headers, body: null }, /no Response/],
    [{ headers, body: null }, /no Response/],
    [{ status: 200, headers: {}, body: null }, /no Response/],
    [{ status: 200, headers, body: RULES }, /ReadableStream/],
    [{ status: 200, headers, body: Readable.from([RULES]) }, /Readable\.toWeb/],
    ...[
      stream(RULES),
      Readable.toWeb(Readable.from([RULES])),
      stream(bytes.buffer),
      stream(new Blob([RULES])),
      stream(new DataView(bytes.buffer)),
      stream(new Uint16Array(bytes)),
    ].map((body) => [{ status: 200, headers, body }, /no Uint8Array/]),
  ]) {
    const { cache } = make({ fetch: async () => response });
    await assert.rejects(cache.isAllowed(`${site}/x`), (error) => error instanceof TypeError && message.test(error.message));
    assert.equal(cache.peek(`${site}/x`).verdict, "unknown");
  }
  const used = new Response(RULES);
  await used.text();
  await assert.rejects(make({ fetch: async () => used }).cache.isAllowed(`${site}/x`), TypeError);
});

test("a refresh that gets no response leaves the site alone, and the copy counts", async () => {
  let requests = 0;
  let answer = () => new Response(RULES, { headers: { "Cache-Control": "max-age=1000" } });
  const { cache, clock } = make({ fetch: async () => (requests++, answer()) });
  await cache.check(`${site}/x`);
  answer = () => ({ status: 200, ok: true });
  clock.at += 950_000;
  for (let calls = 0; calls < 5; calls++) {
    assert.equal(await cache.isAllowed(`${site}/x`), true);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.equal(requests, 2);
});

test("a refresh that fails changes nothing until the copy expires", async () => {
  for (const [failure, status, after] of [
    [(_, response) => response.writeHead(503).end(), 503, 2],
    [(_, response) => response.writeHead(503, { "Retry-After": "3000" }).end(), 503, 1],
    [(_, response) => response.destroy(), null, 2],
  ]) {
    pages = { "/robots.txt": ok(RULES, { "Cache-Control": "max-age=6000" }) };
    const { cache, clock } = make();
    assert.equal(await cache.isAllowed(`${site}/x`), true);
    asked = [];
    clock.at += 5_500_000;
    pages["/robots.txt"] = failure;
    assert.equal(await cache.isAllowed(`${site}/x`), true);
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.deepEqual([asked.length, (await cache.check(`${site}/x`)).status], [1, 200]);
    clock.at += 200_000;
    assert.equal(await cache.isAllowed(`${site}/x`), true, "the copy is fresh");
    assert.equal(asked.length, 1, "and the server is left alone");
    clock.at += 400_000;
    const answer = await cache.check(`${site}/x`);
    assert.deepEqual([answer.verdict, answer.status, asked.length], ["disallowed", status, after]);
  }
});

test("crawl delay and sitemaps of the file that is held", async () => {
  pages = { "/robots.txt": ok(`${RULES}Crawl-delay: 2.5\nSitemap: https://shop.example/a.xml\nSitemap: https://shop.example/b.xml\n`) };
  const { cache } = make();
  assert.deepEqual([cache.crawlDelay(site), cache.sitemaps(site)], [undefined, undefined]);
  await cache.check(site);
  assert.deepEqual([cache.crawlDelay(site), cache.sitemaps(site)], [2.5, ["https://shop.example/a.xml", "https://shop.example/b.xml"]]);
  pages = { "/robots.txt": ok(RULES) };
  const plain = make().cache;
  await plain.check(site);
  assert.deepEqual([plain.crawlDelay(site), plain.sitemaps(site)], [undefined, []]);
});

test("a signal ends the waiting of one, and dispose that of all", async () => {
  // One that ignores its signal, and one that obeys it.
  for (const obeys of [false, true]) {
    let aborted = 0;
    const fetch = (_, { signal }) => new Promise((_, reject) => {
      signal.addEventListener("abort", () => { aborted++; if (obeys) reject(signal.reason); });
    });
    const { cache } = make({ fetch });
    const controller = new AbortController();
    const waits = cache.check(`${site}/x`, { signal: controller.signal });
    const stays = cache.check(`${site}/x`);
    controller.abort(new Error("enough"));
    await assert.rejects(waits, /enough/);
    await assert.rejects(cache.check(`${site}/x`, { signal: controller.signal }), /enough/);
    assert.equal(aborted, 0, "others go on waiting");
    cache.dispose();
    await assert.rejects(stays, /disposed/);
    assert.equal(aborted, 1);
    const late = await make({ fetch, timeout: 50 }).cache.check(`${site}/x`);
    assert.deepEqual([late.verdict, late.end], obeys ? ["disallowed", "timeout"] : ["unknown", null]);
  }
});

test("a number of fetches at a time", async () => {
  const open = [];
  const fetch = () => new Promise((resolve) => open.push(() => resolve(new Response(RULES))));
  const { cache } = make({ fetch, maxFetches: 2 });
  const answers = ["a", "b", "c", "d"].map((host) => cache.isAllowed(`https://${host}.example/x`));
  const disposed = [];
  for (const left of [2, 2, 2, 1]) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.ok(open.length <= left, `${open.length} in the air`);
    open.shift()();
  }
  assert.deepEqual(await Promise.all(answers), [true, true, true, true]);
  for (const host of ["e", "f", "g"]) disposed.push(assert.rejects(cache.isAllowed(`https://${host}.example/x`), /disposed/));
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(open.length, 2);
  cache.dispose();
  await Promise.all(disposed);
});

test("a fetch that was given up says nothing when it comes late", { timeout: 20_000 }, async () => {
  const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));
  // The time is over, and the fetch, or its body, does not look at its signal.
  const slow = () => new ReadableStream({ pull: async (to) => (await wait(200), to.enqueue(new TextEncoder().encode(RULES)), to.close()) });
  for (const fetch of [async () => (await wait(200), new Response(RULES)), async () => new Response(slow())]) {
    const answer = await make({ timeout: 100, fetch }).cache.check(`${site}/x`);
    assert.deepEqual([answer.verdict, answer.end], ["disallowed", "timeout"]);
  }
  // It was started again.
  const open = [];
  const { cache } = make({ timeout: 100, fetch: () => new Promise((resolve) => open.push(resolve)) });
  const first = cache.check(`${site}/x`);
  const second = cache.check(`${site}/x`);
  assert.equal((await first).verdict, "unknown");
  while (open.length < 2) await wait(10);
  open[1](new Response(RULES));
  assert.equal((await second).verdict, "allowed");
  open[0](new Response("User-agent: *\nDisallow: /\n"));
  await wait(20);
  assert.equal(cache.peek(`${site}/x`).verdict, "allowed");
});

test("a turn that a lost fetch holds is free for one that waits", { timeout: 20_000 }, async () => {
  const fetch = async (url) => (url.includes("a.example") ? new Promise(() => {}) : new Response(RULES));
  const { cache } = make({ fetch, maxFetches: 1, timeout: 200 });
  const controller = new AbortController();
  const lost = cache.check("https://a.example/x", { signal: controller.signal });
  const waits = cache.check("https://b.example/x");
  controller.abort(new Error("enough"));
  await assert.rejects(lost, /enough/);
  assert.equal((await waits).verdict, "allowed");
});

test("an error of the one request is that of all that wait for it", async () => {
  let fetches = 0;
  const { cache } = make({ fetch: async () => void fetches++ });
  const checks = () => Array.from({ length: 100 }, () => assert.rejects(cache.check(`${site}/x`), /no Response/));
  await Promise.all(checks());
  assert.equal(fetches, 1);
  await Promise.all(checks());
  assert.equal(fetches, 2);
});

test("a refusal of a refresh opens no site when the copy expires", async () => {
  const later = { "Retry-After": "3000" };
  for (const [name, refusal, given] of [
    ["a page in its place, cautious", ok("<!DOCTYPE html>\n<p>A page</p>\n", later), { cautious: true }],
    ["403, cautious", (_, response) => response.writeHead(403, later).end(), { cautious: true }],
    ["a challenge", (_, response) => response.writeHead(404, { ...later, "CF-Mitigated": "challenge" }).end(), { cautious: true }],
    ["503", (_, response) => response.writeHead(503, later).end(), {}],
    ["429", (_, response) => response.writeHead(429, later).end(), {}],
  ]) {
    pages = { "/robots.txt": ok(RULES, { "Cache-Control": "max-age=6000" }) };
    const { cache, clock } = make(given);
    await cache.check(`${site}/x`);
    clock.at += 5_500_000;
    pages["/robots.txt"] = refusal;
    await cache.check(`${site}/x`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    clock.at += 600_000;
    const answer = await cache.check(`${site}/x`);
    assert.deepEqual([answer.verdict, asked.length], ["disallowed", 2], `${name}: ${answer.text}`);
  }
});

test("what was fetched while the clock was ahead is fetched again, once", async () => {
  for (const [robots, verdict] of [[ok(RULES), "allowed"], [(_, response) => response.writeHead(503).end(), "disallowed"]]) {
    pages = { "/robots.txt": ok(RULES) };
    const { cache, clock } = make();
    clock.at += 30 * 86_400_000;
    await cache.check(`${site}/x`);
    clock.at -= 30 * 86_400_000;
    asked = [];
    pages["/robots.txt"] = robots;
    for (const path of ["/x", "/y", "/z"]) assert.equal((await cache.check(site + path)).verdict, verdict);
    assert.equal(asked.length, 1);
  }
});

test("robots.txt itself is always allowed", async () => {
  for (const robots of [ok("User-agent: *\nDisallow: /\n"), ok(gzipSync(RULES), { "Content-Encoding": "gzip" })]) {
    pages = { "/robots.txt": ok("User-agent: *\nDisallow: /\n") };
    const { cache, clock } = make();
    await cache.check(`${site}/x`);
    pages["/robots.txt"] = robots;
    for (let days = 0; days < 40; days += 2) {
      const { verdict, reason } = cache.peek(`${site}/robots.txt`);
      assert.deepEqual([verdict, reason], ["allowed", "robots-txt"], `after ${days} days`);
      assert.equal((await cache.check(`${site}/robots.txt`)).verdict, "allowed");
      clock.at += 2 * 86_400_000;
      if (days % 4) await cache.check(`${site}/x`);
    }
  }
});
