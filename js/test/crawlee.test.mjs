// The hook in a real crawler of Crawlee: what robots.txt disallows is not requested.
import assert from "node:assert/strict";
import * as http from "node:http";
import { test } from "node:test";
import { Configuration, HttpCrawler } from "@crawlee/http";
import { crawleeHook, RobotsCache } from "robotsc/cache";

test("Crawlee requests what is allowed, and nothing else", async () => {
  const asked = [];
  const server = http.createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(200, { "Content-Type": request.url === "/robots.txt" ? "text/plain" : "text/html" });
    response.end(request.url === "/robots.txt" ? "User-agent: *\nDisallow: /cart\nAllow: /cart/help\n" : "<p>A page</p>");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const site = `http://127.0.0.1:${server.address().port}`;
  const cache = new RobotsCache("FooBot", { userAgent: "FooBot/1.0 (+https://foo.example/bot)" });
  const handled = [];
  const failed = [];
  const configuration = new Configuration({ persistStorage: false, purgeOnStart: false });
  const crawler = new HttpCrawler(
    {
      maxRequestRetries: 3,
      preNavigationHooks: [crawleeHook(cache)],
      requestHandler: ({ request }) => void handled.push(new URL(request.url).pathname),
      failedRequestHandler: ({ request }, error) => void failed.push([new URL(request.url).pathname, error.name, request.retryCount]),
    },
    configuration,
  );
  await crawler.run(["/x", "/cart", "/cart/1", "/cart/help"].map((path) => site + path));
  server.closeAllConnections();
  server.close();
  assert.deepEqual(handled.sort(), ["/cart/help", "/x"]);
  assert.deepEqual(failed.sort(), [["/cart", "DisallowedError", 0], ["/cart/1", "DisallowedError", 0]]);
  assert.deepEqual(asked.sort(), ["/cart/help", "/robots.txt", "/x"]);
});

test("Crawlee tries again if the robots.txt of a site fails", async () => {
  let fails = true;
  const server = http.createServer((request, response) => {
    const isRobots = request.url === "/robots.txt";
    response.writeHead(isRobots && fails ? 503 : 200, { "Content-Type": isRobots ? "text/plain" : "text/html" });
    response.end(isRobots ? "User-agent: *\nDisallow: /cart\n" : "<p>A page</p>");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const site = `http://127.0.0.1:${server.address().port}`;
  let now = Date.now();
  const cache = new RobotsCache("FooBot", { userAgent: "FooBot/1.0 (+https://foo.example/bot)", now: () => now });
  const handled = [];
  const crawler = new HttpCrawler(
    {
      maxRequestRetries: 3,
      preNavigationHooks: [crawleeHook(cache)],
      requestHandler: ({ request }) => void handled.push(request.retryCount),
      errorHandler: (_, error) => {
        assert.equal(error.answer.status, 503);
        fails = false;
        now = error.answer.retryAt;
      },
    },
    new Configuration({ persistStorage: false, purgeOnStart: false }),
  );
  await crawler.run([`${site}/x`]);
  server.closeAllConnections();
  server.close();
  assert.deepEqual(handled, [1]);
});
