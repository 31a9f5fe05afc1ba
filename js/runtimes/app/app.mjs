// What an app does with each entry of the package. Every runtime and every bundler has to return the same.
import { AgentError, parse } from "robotsc";
import { parse as parseAnalysed } from "robotsc/analysis";
import { RobotsCache } from "robotsc/cache";
import robotsParser from "robotsc/robots-parser";
import { Program } from "robotsc/runtime";

const TEXT = "User-agent: *\nDisallow: /cart\nAllow: /cart/help\n";
const URLS = ["https://shop.example/cart", "https://shop.example/cart/help", "/x/../cart", "/\u00fc"];

/** Asks each entry; `site` has a robots.txt that is `TEXT`. */
export async function answers(site) {
  const robots = parse(TEXT);
  const matcher = robots.matcher("FooBot");
  const program = new Program(matcher.compile());
  const analysed = parseAnalysed(TEXT);
  const face = robotsParser("https://shop.example/robots.txt", TEXT);
  const cache = new RobotsCache("FooBot", { userAgent: "FooBot/1.0", timeout: 10_000 });
  let refused;
  try {
    // The classes of errors are the same in all entries.
    analysed.explain("Foo Bot", "/");
  } catch (error) {
    refused = error instanceof AgentError;
  }
  const answer = {
    single: URLS.map((url) => robots.isAllowed("FooBot", url)),
    batch: [...matcher.allowed(URLS)],
    explain: analysed.explain("FooBot", "/cart").rule.line,
    runtime: URLS.map((url) => program.isAllowed(url)),
    cache: [await cache.isAllowed(`${site}/`), await cache.isAllowed(`${site}/cart`)],
    peek: cache.peek(`${site}/cart/help`).verdict,
    reason: (await cache.check(`${site}/cart`)).reason,
    face: [face.isAllowed(URLS[0], "FooBot/1.0"), face.getMatchingLineNumber(URLS[1], "FooBot")],
    refused,
  };
  for (const object of [robots, program, analysed, cache]) object.dispose();
  return answer;
}
