import { Crawler, type Matcher, parse, type Robots } from "./index.js";
import { type Bytes, bytes } from "./values.js";

/** What `robotsParser` returns: the methods of the package `robots-parser`. */
export interface Robot {
  isAllowed(url: string, ua?: string | undefined): boolean | undefined;
  isDisallowed(url: string, ua?: string | undefined): boolean | undefined;
  isExplicitlyDisallowed(url: string, ua: string): boolean | undefined;
  getMatchingLineNumber(url: string, ua?: string | undefined): number;
  getCrawlDelay(ua?: string | undefined): number | undefined;
  getSitemaps(): string[];
  getPreferredHost(): string | null;
}

/** The body of a robots.txt; none is an empty one. */
export type Body = string | Bytes | null | undefined;

// Relative URLs belong to a site that cannot exist.
const RELATIVE = "http://robots-relative.invalid/";
const PLAIN = /^[!-~]*$/;

/** Returns a URL whose port is stated, or `undefined`. */
function parsed(url: string): { site: string; path: string; prefix: string } | undefined {
  try {
    const read = new URL(url, RELATIVE);
    const port = read.port || (read.protocol === "https:" ? "443" : "80");
    const site = `${read.protocol}//${read.hostname}:${port}`;
    return { site, path: read.pathname + read.search, prefix: `${read.protocol}//${read.host}/` };
  } catch {
    return undefined;
  }
}

/**
 * Returns the body in bytes, a lone surrogate in three bytes of its own, which no URL contains. That package takes no
 * body, `undefined` or `null`, for an empty one.
 */
function body(text: unknown): Uint8Array {
  if (text === undefined || text === null) return new Uint8Array();
  // A copy: it is read again for delays.
  if (typeof text !== "string") return bytes(text, "a robots.txt").slice();
  const encoder = new TextEncoder();
  if (!/[\uD800-\uDFFF]/u.test(text)) return encoder.encode(text);
  const written: number[] = [];
  for (const char of text) {
    const code = char.codePointAt(0)!;
    if (code < 0xd800 || code > 0xdfff) written.push(...encoder.encode(char));
    else written.push(0xed, 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
  }
  return Uint8Array.from(written);
}

class Face implements Robot {
  readonly #robots: Robots;
  readonly #site: string | undefined;
  /** What the URLs of the site start with. */
  readonly #prefix: string | undefined;
  /** By user agent: of all groups, and of groups that name it. */
  readonly #asked = [new Map<string, Matcher>(), new Map<string, Matcher>()] as const;

  readonly #body: Uint8Array;
  #delays: Robots | undefined;

  constructor(url: string, text: Body) {
    this.#body = body(text);
    this.#robots = parse(this.#body);
    const read = parsed(url);
    this.#site = read?.site;
    this.#prefix = read?.prefix;
  }

  isAllowed(url: string, ua?: string | undefined): boolean | undefined {
    const path = this.#path(url);
    return path === undefined ? undefined : this.#matcher(ua, false).isAllowed(path);
  }

  isDisallowed(url: string, ua?: string | undefined): boolean {
    return !this.isAllowed(url, ua);
  }

  isExplicitlyDisallowed(url: string, ua: string): boolean | undefined {
    const path = this.#path(url);
    return path === undefined ? undefined : !this.#matcher(ua, true).isAllowed(path);
  }

  getMatchingLineNumber(url: string, ua?: string | undefined): number {
    const path = this.#path(url);
    return path === undefined ? -1 : (this.#robots.decidingLine(crawler(named(ua), false), path) ?? -1);
  }

  getCrawlDelay(ua?: string | undefined): number | undefined {
    // Google's parser knows no delays. In the dialect of 2017, as in that package, one ends a list of agents.
    this.#delays ??= parse(this.#body, { dialect: "google-2017" });
    return this.#delays.crawlDelay(crawler(named(ua), false));
  }

  getSitemaps(): string[] {
    return this.#robots.writtenSitemaps;
  }

  getPreferredHost(): string | null {
    return this.#robots.hosts.at(-1)?.toLowerCase() ?? null;
  }

  /** Returns the path of a URL of this site. */
  #path(url: string): string | undefined {
    // Most URLs are of the site as they stand: the library reads their paths as `URL` does.
    if (typeof url === "string" && this.#prefix !== undefined && url.startsWith(this.#prefix) && PLAIN.test(url)) {
      return url;
    }
    const read = parsed(url);
    if (read === undefined || read.site !== this.#site || !read.path.startsWith("/")) return undefined;
    // A path with two slashes would be a host.
    return `http://robots.invalid${read.path}`;
  }

  #matcher(ua: string | undefined, explicit: boolean): Matcher {
    const asked = this.#asked[explicit ? 1 : 0];
    const agent = named(ua);
    let matcher = asked.get(agent);
    if (matcher === undefined) {
      if (asked.size >= 16) asked.clear();
      asked.set(agent, (matcher = this.#robots.matcher(crawler(agent, explicit))));
    }
    return matcher;
  }
}

/** Returns a user agent as that package reads it. */
function named(ua: string | undefined): string {
  return String(ua || "*");
}

/** Returns the crawler of a user agent: what is before a version. */
function crawler(agent: string, namedOnly: boolean): Crawler {
  const name = agent.split("/", 1)[0]!.trim();
  return name === "*" ? Crawler.others() : Crawler.of(name, { asWritten: true, namedOnly });
}

/** Parses a robots.txt, with the methods, arguments and return values of the package `robots-parser`. */
export function robotsParser(url: string, robotstxt?: Body): Robot {
  return new Face(url, robotstxt);
}

export default robotsParser;
