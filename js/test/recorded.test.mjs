// Recorded answers of google/robotstxt, through every way to ask.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { Crawler, parse, UrlError } from "robotsc";
import { parse as parseAnalysed } from "robotsc/analysis";
import { Program } from "robotsc/runtime";
import robotsParser from "robotsc/robots-parser";
import { cause } from "./causes.mjs";

const data = join(process.env.ROBOTSC_REPOSITORY, "tests/data/google-recorded.jsonl.gz");
const cases = gunzipSync(readFileSync(data))
  .toString()
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

test("all recorded answers, in five ways", () => {
  const wrong = [];
  let asked = 0;
  let excused = 0;
  let faceAsked = 0;
  let held = {};
  for (const { case: name, agents: [agent], url, robots, robots_b64, google } of cases) {
    if (typeof url !== "string") continue;
    const body = robots_b64 === undefined ? new TextEncoder().encode(robots) : Uint8Array.from(Buffer.from(robots_b64, "base64"));
    const number = name.split(".")[0];
    if (held.number !== number) {
      held.robots?.dispose();
      held.analysed?.dispose();
      held = { number, robots: parse(body), analysed: parseAnalysed(body), agents: new Map() };
      // The face takes a string, as the package it replaces.
      if (robots_b64 === undefined) held.face = robotsParser("http://h/robots.txt", robots);
    }
    const crawler = Crawler.of(agent, { asWritten: true });
    if (!held.agents.has(agent)) {
      const matcher = held.robots.matcher(crawler);
      held.agents.set(agent, { matcher, program: new Program(matcher.compile()) });
    }
    const { matcher, program } = held.agents.get(agent);
    const ways = {
      one: () => held.robots.isAllowed(crawler, url),
      matcher: () => matcher.isAllowed(url),
      many: () => matcher.allowed([url])[0] === 1,
      program: () => program.isAllowed(url),
      analysed: () => held.analysed.explain(crawler, url).verdict === "allowed",
    };
    if (held.face && url.startsWith("http://h/")) {
      faceAsked++;
      ways.face = () => held.face.isAllowed(url, agent);
    }
    const reason = cause(url);
    for (const [way, ask] of Object.entries(ways)) {
      asked++;
      let answer;
      try {
        answer = ask();
      } catch (error) {
        assert.ok(error instanceof UrlError || error.name === "UrlError", `${way}: ${name} ${url}: ${error}`);
        answer = error.message;
      }
      if (answer === google) continue;
      if (reason === "") wrong.push(`${way}: ${name} ${JSON.stringify(url)}: ${answer}, recorded ${google}`);
      else excused++;
    }
  }
  console.log(`${cases.length} cases, ${asked} answers, ${faceAsked} of them by the face, ${excused} of other paths`);
  assert.ok(asked > 5 * 19_000);
  assert.deepEqual(wrong.slice(0, 20), []);
});
