// Times robotsc beside robots-parser, in one process and in turns. Run it where both are installed:
//     node speed.mjs robots.txt
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { parse } from "robotsc";
import face from "robotsc/robots-parser";

const robotsParser = createRequire(import.meta.url)("robots-parser");
const text = readFileSync(process.argv[2], "utf8");
const PARSES = 1_000;
const site = "https://shop.example";
const urls = [];
for (let at = 0; at < 2_000; at++) {
  urls.push(`${site}/${["mugs", "cart", "account/help", "search"][at % 4]}/${at}/item-${at * 7919}.html?page=${at % 9}`);
}
const robots = parse(text);
const matcher = robots.matcher("FooBot");
const drop = face(`${site}/robots.txt`, text);
const theirs = robotsParser(`${site}/robots.txt`, text);
const ways = {
  "robots-parser, isAllowed": () => urls.forEach((url) => theirs.isAllowed(url, "FooBot")),
  "robotsc/robots-parser, isAllowed": () => urls.forEach((url) => drop.isAllowed(url, "FooBot")),
  "robotsc, isAllowed": () => urls.forEach((url) => robots.isAllowed("FooBot", url)),
  "robotsc, matcher.isAllowed": () => urls.forEach((url) => matcher.isAllowed(url)),
  "robotsc, matcher.allowed": () => matcher.allowed(urls),
};
const parses = {
  "robots-parser, parse": () => robotsParser(`${site}/robots.txt`, text),
  "robotsc, parse and dispose": () => parse(text).dispose(),
};
const times = {};
for (let round = 0; round < 40; round++) {
  for (const [name, ask] of Object.entries(ways)) time(name, ask, urls.length);
  for (const [name, make] of Object.entries(parses)) time(name, () => { for (let at = 0; at < PARSES; at++) make(); }, PARSES);
}
function time(name, run, count) {
  const start = performance.now();
  run();
  const each = ((performance.now() - start) * 1000) / count;
  (times[name] ??= []).push(each);
}
for (const [name, list] of Object.entries(times)) {
  list.sort((a, b) => a - b);
  console.log(`${name.padEnd(36)} best ${list[0].toFixed(3)} µs, median ${list[list.length >> 1].toFixed(3)} µs`);
}
