// Parses one file a million times, and prints the memory of the module and of the process: they stay as they are.
//
//     node --expose-gc parses.mjs FILE    with robotsc installed in node_modules
import { readFileSync } from "node:fs";
import { parse } from "robotsc";

const PARSES = 1_000_000;
const PRINTED = 10;

const text = readFileSync(process.argv[2], "utf8");
const probe = parse(text);
const started = performance.now();
for (let count = 0; count <= PARSES; count++) {
  if (count % (PARSES / PRINTED) === 0) {
    globalThis.gc?.();
    const mebibytes = (bytes) => (bytes / 2 ** 20).toFixed(1);
    const used = process.memoryUsage();
    console.log(`${count} parses: module ${mebibytes(probe.engine.memoryBytes)} MiB, heap ${mebibytes(used.heapUsed)} MiB, process ${mebibytes(used.rss)} MiB`);
  }
  ask(parse(text));
}
console.log(`${((performance.now() - started) * 1000 / PARSES).toFixed(1)} µs a parse with a verdict`);

function ask(robots) {
  robots.isAllowed("FooBot", "https://shop.example/cart");
  robots.dispose();
}
