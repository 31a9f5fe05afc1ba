// A crawler's cache over `fetch`: it asks once, keeps what the dialect says, and never allows what it does not know.
import assert from "node:assert/strict";
import * as http from "node:http";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
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
  assert.match((await cache.check(`${site}/cart`)).reason, /rule/);
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

const LONG = `User-agent: *\n${"# a line that counts for nobody\n".repeat(40_000)}`;
for (const [name, robots, verdict, more = {}] of [
  ["rules", { "/robots.txt": ok("User-agent: FooBot\nDisallow: /\n") }, "disallowed"],
  ["rules in gzip", { "/robots.txt": ok(gzipSync("User-agent: *\nDisallow: /\n"), { "Content-Encoding": "gzip" }) }, "disallowed"],
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
  ["a fetch that throws", {}, "disallowed", { fetch: () => { throw new Error("no"); } }],
  ["a fetch that follows redirects", {}, "disallowed", { fetch: async () => Object.defineProperty(new Response(""), "redirected", { value: true }) }],
]) {
  test(`${name}: ${verdict}`, async () => {
    pages = robots;
    const { cache } = make(more);
    const answer = await cache.check(`${site}/x`);
    assert.equal(answer.verdict, verdict, answer.reason);
    assert.equal(await cache.isAllowed(`${site}/x`), verdict === "allowed");
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
  ]) {
    assert.throws(() => new RobotsCache("FooBot", given), kind, JSON.stringify(given));
  }
  assert.throws(() => new RobotsCache("Foo Bot", { userAgent: "Foo Bot" }), AgentError);
  for (const url of ["/x", "shop.example/x", "mailto:x", "", "https:///", "/\ud800"]) {
    await assert.rejects(cache.isAllowed(url), UrlError, url);
  }
  await assert.rejects(cache.isAllowed(undefined), TypeError);
  await assert.rejects(make({ now: () => NaN }).cache.isAllowed(`${site}/x`), RangeError);
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
  await assert.rejects(hook({ request }), (error) => error instanceof DisallowedError && error.answer.verdict === "disallowed");
  assert.equal(request.noRetry, true);
});
