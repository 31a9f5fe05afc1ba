// Recorded answers of google/robotstxt for real files, by the matcher, by the program of the walk alone and by the face.
// The files lie beside the checkout, or where ROBOTSC_SHARED says. ROBOTSC_FULL asks for all of them, not one in twenty.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Crawler, parse } from "robotsc";
import { Program } from "robotsc/runtime";
import robotsParser from "robotsc/robots-parser";
import { cause } from "./causes.mjs";

const corpus = join(process.env.ROBOTSC_SHARED ?? join(process.env.ROBOTSC_REPOSITORY, "../shared"), "corpus");
const full = (process.env.ROBOTSC_FULL ?? "0") !== "0";
/** What Google reads of a file; robots.cc was given all of it. */
const READ_BYTES = 512_000;
const LISTS = [["verdicts.tsv", "robots"], ["verdicts-modern.tsv", "robots-modern"], ["frontier.tsv", "robots"]];

/** Calls `ask` with each file, its agents, and its URLs with their recorded answers. */
function eachFile(ask) {
  for (const [list, folder] of LISTS) {
    const [head, ...rows] = readFileSync(join(corpus, list), "utf8").trimEnd().split("\n").map((line) => line.split("\t"));
    const files = Map.groupBy?.(rows, ([file]) => file) ?? grouped(rows);
    let number = 0;
    for (const [file, rows] of files) {
      if (full || number++ % 20 === 0) ask(readFileSync(join(corpus, folder, `${file}.txt`)), head.slice(2), rows, file);
    }
  }
}

/** As `Map.groupBy`, which Node has from 21 on. */
function grouped(rows) {
  const files = new Map();
  for (const row of rows) files.set(row[0], [...(files.get(row[0]) ?? []), row]);
  return files;
}

/** Returns a body as a string, or `undefined` if it is none: the face takes no other. */
function text(body) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}

test("recorded answers of real files, in three ways", { skip: !existsSync(corpus) && `${corpus} is absent` }, () => {
  const counts = { recorded: 0, matcher: 0, program: 0, face: 0, excused: 0 };
  const wrong = [];
  const refused = new Set();
  eachFile((body, agents, rows, file) => {
    const robots = parse(body);
    const string = text(body);
    const urls = rows.map(([, url]) => url);
    const face = string === undefined ? undefined : robotsParser("http://robots.invalid/robots.txt", string);
    agents.forEach((agent, column) => {
      const matcher = robots.matcher(Crawler.of(agent, { asWritten: true }));
      const program = new Program(matcher.compile());
      const many = matcher.allowed(urls, { wrong: "disallow" });
      rows.forEach((row, at) => {
        const [, url] = row;
        const recorded = row[column + 2].startsWith("1:");
        counts.recorded++;
        const answers = { matcher: many[at] === 1 };
        const reason = body.length > READ_BYTES ? "a file that is cut" : cause(url);
        try {
          answers.program = program.isAllowed(url);
          // The face answers for its own site alone.
          const path = face && /^https?:\/\/[^/?#]+(\/.*)$/is.exec(url)?.[1];
          if (path) answers.face = face.isAllowed(`http://robots.invalid${path}`, agent);
        } catch (error) {
          assert.equal(error.name, "UrlError", `${file} ${url}: ${error}`);
          refused.add(url);
        }
        for (const [way, answer] of Object.entries(answers)) {
          counts[way]++;
          if (answer === recorded) continue;
          if (reason === "") wrong.push(`${way}: ${file} ${agent} ${url}: ${answer}, recorded ${recorded}`);
          else counts.excused++;
        }
      });
      matcher.dispose();
      program.dispose();
    });
    robots.dispose();
  });
  console.log(JSON.stringify({ ...counts, refused: refused.size }));
  assert.ok(counts.recorded > (full ? 800_000 : 30_000));
  assert.deepEqual(wrong.slice(0, 20), []);
});
