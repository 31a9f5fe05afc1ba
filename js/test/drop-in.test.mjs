// What differs from robots-parser on purpose: each row of the guide's table, asked of both packages.
import assert from "node:assert/strict";
import { test } from "node:test";
import robotsParser from "robotsc/robots-parser";
import original from "robots-parser";

const URL_OF_FILE = "https://shop.example/robots.txt";
const isAllowed = (path = "/cart", agent = "FooBot") => (robots) => robots.isAllowed(`https://shop.example${path}`, agent);
const delay = (robots) => robots.getCrawlDelay("FooBot");
const sitemaps = (robots) => robots.getSitemaps();
const CLOSED = "Disallow: /\n";

for (const [body, ask, before, here] of [
  [`User-agent: FooBot news\n${CLOSED}`, isAllowed(), true, false],
  ["User-agent: *\nDisalow: /cart\n", isAllowed(), true, false],
  ["Useragent: *\nDisallow: /cart\n", isAllowed(), true, false],
  ["User-agent: *\nDisallow /cart\n", isAllowed(), true, false],
  ["User-agent: FooBot\nCrawl-delay: 1\nUser-agent: BarBot\nDisallow: /cart\n", isAllowed(), true, false],
  ["User-agent: *\nDisallow: /shop\nAllow: /shop/index.html\n", isAllowed("/shop/"), false, true],
  [`User-agent: *\n${CLOSED}`, isAllowed("/", "Foo Bot"), false, /AgentError/],
  [`User-agent: *\n${CLOSED}`, isAllowed("/", "/1.0"), false, /AgentError/],
  // Google's parser: a group that names the crawler counts, also without rules.
  [`User-agent: *\n${CLOSED}\nUser-agent: FooBot\n`, isAllowed(), false, true],
  ["User-agent: *\nCrawl-delay: 1e3\n", delay, 1000, undefined],
  ["User-agent: *\nCrawl-delay: 0x10\n", delay, 16, undefined],
  ["User-agent: *\nCrawl-delay: -3\n", delay, -3, undefined],
  ["User-agent: *\nCrawl-delay: Infinity\n", delay, Infinity, undefined],
  ["Site-map: https://shop.example/a.xml\n", sitemaps, [], ["https://shop.example/a.xml"]],
]) {
  test(JSON.stringify(body), () => {
    assert.deepEqual(ask(original(URL_OF_FILE, body)), before);
    if (here instanceof RegExp) assert.throws(() => ask(robotsParser(URL_OF_FILE, body)), { name: here.source });
    else assert.deepEqual(ask(robotsParser(URL_OF_FILE, body)), here);
  });
}

test("no body is an empty one, and bytes are one, too", () => {
  for (const none of [undefined, null, ""]) assert.equal(isAllowed()(robotsParser(URL_OF_FILE, none)), true);
  const bytes = Buffer.from(`User-agent: *\nCrawl-delay: 2\n${CLOSED}`);
  const robots = robotsParser(URL_OF_FILE, bytes);
  bytes.fill(0);
  assert.deepEqual([isAllowed()(robots), delay(robots)], [false, 2]);
});
