/// <reference lib="esnext.disposable" preserve="true" />
import { Crawler } from "./crawler.js";
import type { Engine } from "./engine.js";
import { RobotsError } from "./errors.js";
import { attached, type Bytes, bytes, options, wellFormed } from "./values.js";

/** The number of agents whose matchers a file keeps. */
const KEPT = 8;

/** A dialect: how a file is read, and its rules are ranked. */
export type Dialect = "google" | "rfc9309" | "google-2017" | "google-2019" | "yandex";

/** How a file is parsed. */
export interface ParseOptions {
  /** `google` if it is not given. */
  dialect?: Dialect | undefined;
  /** The site that the file is for, such as `https://shop.example`: URLs of others are errors. */
  origin?: string | undefined;
}

/** An object of the module, until it is disposed or collected. */
export class Owned {
  readonly #engine: Engine;
  #address: number;

  protected constructor(engine: Engine, address: number) {
    this.#engine = engine;
    this.#address = address;
    engine.hold(this, address);
  }

  /** @internal */
  get engine(): Engine {
    return this.#engine;
  }

  /** @internal */
  get address(): number {
    if (this.#address === 0) throw new RobotsError("it was disposed: parse or make it again");
    return this.#address;
  }

  /** Frees its memory now. Whoever asks it afterwards gets an error. */
  dispose(): void {
    const address = this.#address;
    this.#address = 0;
    if (address !== 0) this.#engine.release(this, address);
  }
}

if (typeof Symbol.dispose === "symbol") {
  Object.defineProperty(Owned.prototype, Symbol.dispose, {
    value(this: Owned) {
      this.dispose();
    },
    writable: true,
    configurable: true,
  });
}
export interface Owned extends Disposable {}

/** Calls a function with the address of a crawler. */
export function withCrawler<T>(engine: Engine, agent: string | Crawler, ask: (address: number) => T): T {
  const crawler = agent instanceof Crawler ? agent : Crawler.of(agent);
  const { texts, ends } = engine.writeMany(crawler.names);
  const address = engine.object("crawler", crawler.way, ...texts, ...ends);
  try {
    return ask(address);
  } finally {
    engine.drop(address);
  }
}

/** A parsed robots.txt. */
export class Robots extends Owned {
  readonly #matchers = new Map<string, Matcher>();

  /** @internal */
  constructor(engine: Engine, body: string | Bytes, given?: ParseOptions) {
    const { dialect = "google", origin } = options(given, ["dialect", "origin"]);
    const isText = typeof body === "string";
    const read = isText ? wellFormed(body, "a robots.txt") : bytes(body, "a robots.txt");
    const site = origin === undefined ? "" : wellFormed(origin, "an origin");
    if (origin === "") throw new RobotsError("the origin is empty: leave it out, or name the site");
    const places = engine.write(read, wellFormed(dialect, "a dialect"), site);
    super(engine, engine.object("parse", ...places, Number(isText)));
  }

  /** Reports whether an agent may fetch a URL, or a path that starts with one `/`. */
  isAllowed(agent: string | Crawler, url: string): boolean {
    attached(this, "isAllowed");
    if (typeof agent !== "string") {
      const matcher = this.matcher(agent);
      try {
        return matcher.isAllowed(url);
      } finally {
        matcher.dispose();
      }
    }
    return this.#kept(agent).isAllowed(url);
  }

  /** Returns the rules of an agent, for many URLs. */
  matcher(agent: string | Crawler): Matcher {
    const address = this.address;
    return withCrawler(this.engine, agent, (crawler) => {
      return new Matcher(this.engine, this.engine.object("matcher", address, crawler));
    });
  }

  /** Returns the number of the line that decides a URL, from 1; `undefined` if none does. */
  decidingLine(agent: string | Crawler, url: string): number | undefined {
    const read = wellFormed(url, "a URL");
    const matcher = typeof agent === "string" ? this.#kept(agent) : this.matcher(agent);
    try {
      const line = this.engine.call("deciding_line", this.address, matcher.address, ...this.engine.write(read));
      return line === 0 ? undefined : line;
    } finally {
      if (typeof agent !== "string") matcher.dispose();
    }
  }

  /** Returns the path of a URL in the form in which a program compares it. */
  urlPath(url: string): Uint8Array {
    const address = this.address;
    return this.engine.bytes("url_path", address, ...this.engine.write(wellFormed(url, "a URL")));
  }

  /** Returns the longest crawl delay that the file states for an agent, in seconds; `undefined` if there is none. */
  crawlDelay(agent: string | Crawler): number | undefined {
    const address = this.address;
    const text = withCrawler(this.engine, agent, (crawler) => this.engine.text("crawl_delay", address, crawler));
    return text === "" ? undefined : Number(text);
  }

  /** The sitemaps, in file order, each once. */
  get sitemaps(): string[] {
    return lines(this.engine.text("sitemaps", this.address, 0));
  }

  /** @internal The values of all `Sitemap` lines. */
  get writtenSitemaps(): string[] {
    return lines(this.engine.text("sitemaps", this.address, 1));
  }

  /** The hosts that `Host` records name, in file order. */
  get hosts(): string[] {
    return lines(this.engine.text("hosts", this.address));
  }

  /** What the body is: `robots`, or what came in place of a robots.txt, such as `html`; that has no rules. */
  get bodyKind(): string {
    return this.engine.text("body_kind", this.address);
  }

  override dispose(): void {
    for (const matcher of this.#matchers.values()) matcher.dispose();
    this.#matchers.clear();
    super.dispose();
  }

  #kept(agent: string): Matcher {
    // A file that was disposed answers nothing.
    void this.address;
    let matcher = this.#matchers.get(agent);
    if (matcher === undefined) {
      matcher = this.matcher(agent);
      if (this.#matchers.size === KEPT) {
        const [oldest, dropped] = this.#matchers.entries().next().value!;
        this.#matchers.delete(oldest);
        dropped.dispose();
      }
      this.#matchers.set(agent, matcher);
    }
    return matcher;
  }
}

function lines(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

/** The rules of one agent. */
export class Matcher extends Owned {
  /** @internal */
  constructor(engine: Engine, address: number) {
    super(engine, address);
  }

  /** Reports whether the agent may fetch a URL, or a path that starts with one `/`. */
  isAllowed(url: string): boolean {
    attached(this, "isAllowed");
    if (typeof url !== "string") wellFormed(url, "a URL");
    return this.engine.ask("allowed", this.address, url);
  }

  /**
   * Returns 1 for each URL that the agent may fetch, and 0 for the others. A URL without a path on this site throws,
   * or is 0 with `wrong: "disallow"`.
   */
  allowed(urls: readonly string[], given?: { wrong?: "throw" | "disallow" | undefined }): Uint8Array {
    if (!Array.isArray(urls)) throw new TypeError("the URLs are an array of strings");
    const { wrong = "throw" } = options(given, ["wrong"]);
    if (wrong !== "throw" && wrong !== "disallow") throw new TypeError('wrong is "throw" or "disallow"');
    const address = this.address;
    // A copy: what is checked here is what is asked.
    const list: string[] = [...urls];
    for (let at = 0; at < list.length; at++) {
      if (typeof list[at] !== "string") throw new TypeError(`URL ${at} is no string`);
    }
    const { texts, ends, answers } = this.engine.writeMany(list);
    this.engine.many(address, ...texts, ...ends, ...answers, Number(wrong === "disallow"));
    return this.engine.read(...answers);
  }

  /** Compiles the rules. The bytes can be stored, and asked with `robotsc/runtime`. */
  compile(): Uint8Array {
    return this.engine.bytes("compile", this.address);
  }
}
