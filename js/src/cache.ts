import wasm from "../wasm/cache.wasm";
import { Crawler } from "./crawler.js";
import { AgentError } from "./errors.js";
import { fetchRobots } from "./fetched.js";
import { goOn } from "./unawaited.js";
import { engines } from "./loaded.js";
import { type Dialect, Owned, withCrawler } from "./robots.js";
import { options, wellFormed } from "./values.js";

export { Crawler } from "./crawler.js";
export { AgentError, RobotsError, UrlError } from "./errors.js";
export type { Dialect } from "./robots.js";

const engine = engines(wasm);

/** How a cache fetches and what it keeps. */
export interface CacheOptions {
  /** What requests for a robots.txt send as `User-Agent`. It contains the name of the crawler. */
  userAgent: string;
  /** `google` if it is not given. */
  dialect?: Dialect;
  /** Sends requests; that of the host if it is not given. */
  fetch?: typeof fetch;
  /** The longest time of a fetch with its redirects, in milliseconds: 30,000 if it is not given. */
  timeout?: number;
  /** About how many bytes are kept: 64 MiB if it is not given. */
  memory?: number;
  /** Returns the time in milliseconds since 1970: `Date.now` if it is not given. */
  now?: () => number;
}

/** What a cache says about a URL. */
export interface CacheAnswer {
  /** `unknown` is no allow: nothing that still counts is known of the site, and it could not be fetched now. */
  verdict: "allowed" | "disallowed" | "unknown";
  /** The verdict and what it rests on, in words. */
  reason: string;
}

interface Known extends CacheAnswer {
  due: string;
  robotsUrl: string;
  conditions: { url: string; etag: string; modified: string };
}

/** A fetch in the air. */
interface Flight {
  start: number;
  ended: Promise<void>;
}

/** How long after its time a fetch is given up that says nothing, in milliseconds. */
const PATIENCE = 1000;

/**
 * Waits for a fetch that another call started, and reports whether it ended well. Some hosts end what a request of
 * theirs began with that request: such a fetch never ends, or fails where it is waited for.
 */
async function inTime({ start, ended }: Flight, timeout: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, start + timeout + PATIENCE - Date.now()));
  });
  try {
    return await Promise.race([ended.then(() => true), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A crawler's cache over `fetch`: fetches the robots.txt of a site when it is first asked about it, and again when it
 * expires, one request at a time a site. What a response or a failure means, and for how long, the dialect says.
 */
export class RobotsCache extends Owned {
  readonly #options: { userAgent: string; fetch: typeof fetch; timeout: number; now: () => number };
  /** The fetches in the air, by the URL of robots.txt. */
  readonly #flights = new Map<string, Flight>();

  constructor(agent: string | Crawler, given: CacheOptions) {
    const known = ["userAgent", "dialect", "fetch", "timeout", "memory", "now"];
    const { userAgent, dialect = "google", timeout = 30_000, memory = 64 << 20, ...rest } = options(given, known);
    const crawler = agent instanceof Crawler ? agent : Crawler.of(agent);
    wellFormed(userAgent, "userAgent");
    if (!/^[\x20-\x7e]+$/.test(userAgent!)) throw new TypeError("userAgent is a value of a header: printable ASCII");
    if (!crawler.names.some((name) => userAgent!.toLowerCase().includes(name.toLowerCase()))) {
      throw new AgentError(`the userAgent names none of ${crawler.names.join(", ") || "the crawler's names"}`);
    }
    whole(timeout, "timeout", 1, 2 ** 31 - 1);
    whole(memory, "memory", 1 << 16, 2 ** 31 - 1);
    const { fetch: ask = globalThis.fetch, now = Date.now } = rest;
    if (typeof ask !== "function") throw new TypeError("fetch is a function");
    if (typeof now !== "function") throw new TypeError("now is a function");
    const running = engine();
    const read = wellFormed(dialect, "a dialect");
    const address = withCrawler(running, crawler, (at) => running.object("cache", at, ...running.write(read), memory));
    super(running, address);
    this.#options = { userAgent: userAgent!, fetch: ask, timeout, now };
  }

  /** Says whether the crawler may fetch a URL now, and fetches the robots.txt of its site first if it has to. */
  async check(url: string): Promise<CacheAnswer> {
    let known = this.#known(url);
    if (known.due === "refresh") goOn(this.#fetched(url, known));
    if (known.due === "fetch") {
      await this.#fetched(url, known);
      known = this.#known(url);
      // Nothing came that counts: another fetch is due at once, and there is no answer.
      if (known.due === "fetch") return { verdict: "unknown", reason: known.reason };
    }
    return { verdict: known.verdict, reason: known.reason };
  }

  /** Reports whether the crawler may fetch a URL now: `false` for a site of which nothing is known. */
  async isAllowed(url: string): Promise<boolean> {
    return (await this.check(url)).verdict === "allowed";
  }

  /** Returns what is known now, without a fetch. */
  peek(url: string): CacheAnswer {
    const { verdict, reason, due } = this.#known(url);
    return due === "fetch" ? { verdict: "unknown", reason } : { verdict, reason };
  }

  #known(url: string): Known {
    const address = this.address;
    const read = wellFormed(url, "a URL");
    const text = this.engine.text("cache_check", address, ...this.engine.write(read), this.#seconds());
    const [verdict, due, reason, robotsUrl, answered, etag, modified] = text.split("\n") as [
      CacheAnswer["verdict"], string, string, string, string, string, string,
    ];
    return { verdict, due, reason, robotsUrl, conditions: { url: answered, etag, modified } };
  }

  /** Waits for the fetch of a site's robots.txt, and starts it if there is none. */
  async #fetched(url: string, known: Known): Promise<void> {
    const { robotsUrl } = known;
    for (let flight = this.#flights.get(robotsUrl); flight !== undefined; flight = this.#flights.get(robotsUrl)) {
      if (await inTime(flight, this.#options.timeout)) return;
      this.#forget(robotsUrl, flight);
    }
    const flight = { start: Date.now(), ended: this.#fetch(url, known) };
    this.#flights.set(robotsUrl, flight);
    try {
      await flight.ended;
    } finally {
      this.#forget(robotsUrl, flight);
    }
  }

  #forget(robotsUrl: string, flight: Flight): void {
    if (this.#flights.get(robotsUrl) === flight) this.#flights.delete(robotsUrl);
  }

  async #fetch(url: string, { robotsUrl, conditions }: Known): Promise<void> {
    // Throws before anything is sent if the cache was disposed.
    void this.address;
    const ended = await fetchRobots(robotsUrl, { ...this.#options, conditions });
    const address = this.address;
    const headers = ended.headers.flat().map((text) => text.replace(/[\r\n]/g, " ")).join("\n");
    const places = this.engine.write(url, headers, ended.body, ended.answered);
    const { end, status, redirects } = ended;
    this.engine.bytes("cache_record", address, ...places, end, status, redirects, this.#seconds());
  }

  #seconds(): number {
    const seconds = Math.floor(this.#options.now() / 1000);
    if (!(seconds >= 0 && seconds < 2 ** 32)) throw new RangeError("the time is none between 1970 and 2106");
    return seconds;
  }
}

function whole(value: unknown, name: string, least: number, most: number): void {
  if (!Number.isInteger(value)) throw new TypeError(`${name} is a whole number`);
  if ((value as number) < least || (value as number) > most) throw new RangeError(`${name} is from ${least} to ${most}`);
}

/** A URL that robots.txt does not let a crawler fetch. */
export class DisallowedError extends Error {
  override name = "DisallowedError";
  readonly answer: CacheAnswer;
  constructor(url: string, answer: CacheAnswer) {
    super(`${url} is not fetched: ${answer.reason}`);
    this.answer = answer;
  }
}

/** What a hook needs of a request of Crawlee. */
interface CrawleeRequest {
  url: string;
  noRetry?: boolean;
}

/**
 * Returns a hook for `preNavigationHooks` of a crawler of Crawlee: a request that is not allowed fails at once with a
 * `DisallowedError`, which `failedRequestHandler` gets. Nothing is requested.
 */
export function crawleeHook(cache: RobotsCache): (context: { request: CrawleeRequest }) => Promise<void> {
  return async ({ request }) => {
    const answer = await cache.check(request.url);
    if (answer.verdict === "allowed") return;
    request.noRetry = true;
    throw new DisallowedError(request.url, answer);
  };
}
