// Runs the app in each runtime and as each bundler builds it, and prints a table. Fails if an answer differs anywhere.
// What cannot be run for want of a tool is written to the file `skipped`. Run by .ci/js, in a folder with the tools.
//     node try.mjs [NAME...]     only those that start with a name
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { build, transformSync } from "esbuild";
import { chromium } from "playwright-core";

const run = promisify(execFile);
const tools = resolve("node_modules");
const app = resolve("app");
const MINUTE = 60_000;

const WANTED = {
  single: [false, true, false, true],
  batch: [0, 1, 0, 1],
  explain: 2,
  runtime: [false, true, false, true],
  cache: [true, false],
  peek: "allowed",
  reason: "rule",
  face: [false, 3],
  refused: true,
};
const TEXT = "User-agent: *\nDisallow: /cart\nAllow: /cart/help\n";
const POLICY = "default-src 'none'; connect-src 'self'; worker-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
const KINDS = { ".html": "text/html", ".txt": "text/plain" };

/** Serves a folder, with a strict policy, and a robots.txt. */
async function serve(folder) {
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://site.invalid").pathname;
    if (path === "/robots.txt") {
      return response.writeHead(200, { "Content-Type": "text/plain", "Cache-Control": "max-age=600" }).end(TEXT);
    }
    const file = join(folder, path === "/" ? "index.html" : path);
    if (!existsSync(file)) return response.writeHead(404).end();
    const type = KINDS[extname(file)] ?? "text/javascript";
    response.writeHead(200, { "Content-Type": type, "Content-Security-Policy": POLICY }).end(readFileSync(file));
  });
  await new Promise((started) => server.listen(0, "127.0.0.1", started));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Runs a command in the folder of the app, and returns what it prints last, as JSON. */
async function printed(command, ...args) {
  const site = await serve("out");
  try {
    const { stdout } = await run(command, [...args, site.origin], { cwd: app, timeout: MINUTE });
    return [JSON.parse(stdout.trim().split("\n").at(-1))];
  } finally {
    site.close();
  }
}

/** Opens a page, and returns what it and its Worker answer. */
async function opened(folder) {
  const site = await serve(folder);
  let browser;
  try {
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
    const page = await browser.newPage();
    const errors = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(site.origin);
    const answers = await page.evaluate("globalThis.answers");
    if (answers === undefined) throw new Error(errors.join("\n"));
    return answers;
  } finally {
    await browser?.close();
    site.close();
  }
}

/** Starts the Worker as Cloudflare's own tool does, and asks it. */
async function worker(date) {
  const config = { name: "app", main: "worker.mjs", compatibility_date: date, send_metrics: false };
  writeFileSync(join(app, "wrangler.json"), JSON.stringify(config));
  const wrangler = join(tools, "wrangler/bin/wrangler.js");
  const args = [wrangler, "dev", "--ip", "127.0.0.1", "--port", "0", "--inspector-port", "0"];
  const site = await serve("out");
  const env = { ...process.env, CI: "1", NO_COLOR: "1" };
  const dev = spawn(node("22"), args, { cwd: app, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  try {
    const address = await new Promise((ready, failed) => {
      const hear = (text) => {
        said += text;
        const found = /Ready on (http:\/\/\S+)/.exec(said);
        if (found) ready(found[1]);
      };
      dev.stdout.on("data", hear);
      dev.stderr.on("data", hear);
      dev.on("exit", () => failed(new Error(said)));
      setTimeout(() => failed(new Error(`it does not start: ${said}`)), MINUTE).unref();
    });
    const ask = async (more = {}) => {
      const query = new URLSearchParams({ site: site.origin, ...more });
      const response = await fetch(`${address}/?${query}`, { headers: { Accept: "text/plain" } });
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      return JSON.parse(text);
    };
    const answers = await ask();
    // A fetch that goes on when its request has ended: shortly before and after what is known expires.
    for (const later of [0, 599, 0, 1200]) {
      if (!(await ask({ later }))) throw new Error(`not allowed after ${later} seconds`);
    }
    return [answers];
  } finally {
    process.kill(-dev.pid);
    site.close();
  }
}

const node = (version) => join(tools, `node-${version}/bin/node`);
const versionOf = (name) => JSON.parse(readFileSync(join(tools, name, "package.json"), "utf8")).version;
const bin = (name) => join(tools, ".bin", name);

/** Empties a folder of built files. */
function emptied(name) {
  const folder = join(app, "out", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

function write(folder, files) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

const HTML = '<!doctype html>\n<title>app</title>\n<script type="module" src="page.mjs"></script>\n';

/** Writes the app with the files of the package as they are: a browser resolves no name of a package. */
function unbundled() {
  const folder = emptied("page");
  for (const name of ["app", "page", "page-worker"]) {
    const text = readFileSync(join(app, `${name}.mjs`), "utf8");
    const named = text.replace(/"robotsc(\/[a-z-]+)?"/g, (_, entry) => `"./dist/${(entry ?? "/index").slice(1)}.js"`);
    writeFileSync(join(folder, `${name}.mjs`), named);
  }
  writeFileSync(join(folder, "index.html"), HTML);
  cpSync(join(app, "node_modules/robotsc/dist"), join(folder, "dist"), { recursive: true });
  return folder;
}

async function esbuilt(options) {
  const folder = emptied(`esbuild-${options.platform}`);
  const ends = options.platform === "node" ? ["run"] : ["page", "page-worker"];
  const entryPoints = ends.map((name) => join(app, `${name}.mjs`));
  await build({ entryPoints, outdir: folder, bundle: true, minify: true, format: "esm", ...options, logLevel: "error",
    outExtension: { ".js": ".mjs" } });
  writeFileSync(join(folder, "index.html"), HTML);
  return folder;
}

async function vite() {
  writeFileSync(join(app, "index.html"), HTML);
  const folder = emptied("vite");
  await run(bin("vite"), ["build", "--outDir", folder, "--logLevel", "error"], { cwd: app, timeout: MINUTE });
  return folder;
}

async function webpack(target) {
  const { default: pack } = await import("webpack");
  const folder = emptied(`webpack-${target}`);
  const entry = join(app, target === "node" ? "run.mjs" : "page.mjs");
  const filename = target === "node" ? "run.cjs" : "[name].js";
  const output = { path: folder, filename, publicPath: "auto" };
  const stats = await promisify(pack)({ mode: "production", context: app, entry, target, output, performance: false });
  const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
  const said = [...errors, ...warnings].map(({ message }) => message);
  if (said.length > 0) throw new Error(said.join("\n"));
  writeFileSync(join(folder, "index.html"), HTML.replace("page.mjs", "main.js"));
  return folder;
}

const required = transformSync(readFileSync(join(app, "app.mjs"), "utf8"), { format: "cjs" }).code;
write(app, {
  "app.cjs": required,
  "run.cjs": 'require("./app.cjs").answers(process.argv[2]).then((all) => console.log(JSON.stringify(all)));\n',
});

const esbuildVersion = versionOf("esbuild");
const webpackVersion = versionOf("webpack");
const viteVersion = versionOf("vite");
// Wrangler needs a newer Node than the rest.
const workerdVersion = existsSync(node("22")) ? versionOf("workerd") : undefined;
const browserVersion = process.env.CHROMIUM
  ? (await run(process.env.CHROMIUM, ["--version"])).stdout.match(/[\d.]+/)[0] : undefined;
const inBrowser = "a page with a strict policy, and its Worker";
const deno = ["run", "--no-prompt", "--allow-net=127.0.0.1"];
// A name; the version, or the file that states it; how it is tried; and what returns the answers.
const rows = [
  ...["18", "20", "22", "24", "26"].flatMap((version) => [
    [`Node ${version}`, node(version), "`import`", () => printed(node(version), "run.mjs")],
    [`Node ${version}`, node(version), "`require`", () => printed(node(version), "run.cjs")],
  ]),
  ["Bun", versionOf("bun"), "`import`", () => printed(bin("bun"), "run.mjs")],
  ["Bun", versionOf("bun"), "`require`", () => printed(bin("bun"), "run.cjs")],
  ["Deno", versionOf("deno"), "`import`, with no permission but for the network",
    () => printed(bin("deno"), ...deno, "run.mjs")],
  ["Chromium", browserVersion, `files of the package as they are, in ${inBrowser}`, () => opened(unbundled())],
  ["workerd", workerdVersion, "`wrangler dev`, compatibility date 2026-11-01", () => worker("2026-11-01")],
  ["workerd", workerdVersion, "`wrangler dev`, compatibility date 2023-01-01", () => worker("2023-01-01")],
  ["Vite", browserVersion && viteVersion, `\`vite build\`, in ${inBrowser}`, async () => opened(await vite())],
  ["esbuild", browserVersion && esbuildVersion, `for browsers, in ${inBrowser}`,
    async () => opened(await esbuilt({ platform: "browser" }))],
  ["esbuild", esbuildVersion, "for Node", async () =>
    printed(process.execPath, join(await esbuilt({ platform: "node" }), "run.mjs"))],
  ["webpack", browserVersion && webpackVersion, `for browsers, in ${inBrowser}`,
    async () => opened(await webpack("web"))],
  ["webpack", webpackVersion, "for Node", async () => printed(process.execPath, join(await webpack("node"), "run.cjs"))],
];

const asked = process.argv.slice(2);
const skipped = [];
let failed = 0;
console.log("| in | version | tried with | result |\n|---|---|---|---|");
for (const [name, tool, how, answers] of rows) {
  if (asked.length > 0 && !asked.some((start) => name.startsWith(start))) continue;
  let version = tool;
  let result = "works";
  let why = "";
  if (tool === undefined || (tool.startsWith("/") && !existsSync(tool))) {
    skipped.push(`the package in ${name}, ${how}: that is not to be had here`);
    continue;
  }
  if (tool.startsWith("/")) version = (await run(tool, ["--version"])).stdout.trim().replace(/^v/, "");
  try {
    for (const answer of await answers()) {
      for (const [what, wanted] of Object.entries(WANTED)) {
        const got = JSON.stringify(answer[what]);
        if (got !== JSON.stringify(wanted)) why += `${what}: ${got}, not ${JSON.stringify(wanted)}\n`;
      }
    }
  } catch (error) {
    why = `${error.message}\n${error.stderr ?? ""}`;
  }
  if (why !== "") {
    failed++;
    result = "**fails**";
  }
  console.log(`| ${name.replace(/ \d+$/, "")} | ${version} | ${how} | ${result} |`);
  if (why !== "") console.log(why.trim().replace(/^/gm, "    "));
}
writeFileSync("skipped", skipped.map((line) => `${line}\n`).join(""));
process.exitCode = failed > 0 ? 1 : 0;
