import wasm from "../wasm/cache.wasm";
import { Crawler } from "./crawler.js";
import { AgentError, RobotsError } from "./errors.js";
import { type Conditions, type Ended, type Fetch, fetchRobots, noResponse } from "./fetched.js";
import { engines } from "./loaded.js";
import { goOn } from "./unawaited.js";
import { type Dialect, Owned, withCrawler } from "./robots.js";
import { attached, flag, options, wellFormed } from "./values.js";

export { Crawler } from "./crawler.js";
export { AgentError, RobotsError, UrlError } from "./errors.js";
export type { Fetch, FetchedResponse, FetchInit } from "./fetched.js";
export type { Dialect } from "./robots.js";

const engine = engines(wasm);

/** How a cache fetches and what it keeps. */
export interface CacheOptions {
  /** What requests for a robots.txt send as `User-Agent`. It contains the name of the crawler. */
  userAgent: string;
  /** `google` if it is not given. */
  dialect?: Dialect | undefined;
  /** Whether 401, 403, and a 200 whose body is no robots.txt are failures, and allow nothing. */
  cautious?: boolean | undefined;
  /** Sends requests; that of the host if it is not given. */
  fetch?: Fetch | undefined;
  /** The number of fetches at the same time: 512 if it is not given. */
  maxFetches?: number | undefined;
  /** The longest time of a fetch with its redirects, in milliseconds: 30,000 if it is not given. */
  timeout?: number | undefined;
  /** About how many bytes are kept: 64 MiB if it is not given. */
  memory?: number | undefined;
  /** Returns the time in milliseconds since 1970: `Date.now` if it is not given. */
  now?: (() => number) | undefined;
}

/** How long a caller waits. */
export interface CheckOptions {
  /** An `AbortSignal` that ends the waiting; the fetch goes on for others. */
  signal?: Signal | undefined;
}

/** What a cache needs of an `AbortSignal`, whose type not every program knows. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason?: any;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** What a cache says about a URL. */
export interface CacheAnswer {
  /** `unknown` is no allow: nothing that still counts is known of the site, and it could not be fetched now. */
  verdict: "allowed" | "disallowed" | "unknown";
  /**
   * What decided: a rule, the rules, none of which matches, how the last fetch ended, or why nothing is known;
   * `robots-txt` for the URL of robots.txt itself.
   */
  reason:
    | "rule"
    | "no-rule"
    | "robots-txt"
    | "unavailable"
    | "redirects"
    | "server-error"
    | "unreachable"
    | "not-held"
    | "expired"
    | "copy-not-held"
    | "failed-once"
    | "future";
  /** The line of the rule, if one decided. */
  line: number | null;
  /** How the last fetch ended: `status`, `incomplete`, `timeout`, `refused` or another word. */
  end: string | null;
  /** The status of that response. */
  status: number | null;
  /** What its body was: `robots`, or what came in its place, such as `html`. */
  bodyKind: string | null;
  /** Before when the site is not asked again, in milliseconds since 1970, if a fetch failed. */
  retryAt: number | null;
  /** The URL of the robots.txt. */
  robotsUrl: string;
  /** All this in words. */
  text: string;
}

interface Known {
  answer: CacheAnswer;
  due: string;
  conditions: Conditions;
}

/** A fetch in the air. */
interface Flight {
  /** When its turn began, in milliseconds; `Infinity` if it waits for one. */
  start: number;
  ended: Promise<void>;
  controller: AbortController;
  hasTurn: boolean;
  /** Whether it was given up before it ended. */
  isLost: boolean;
  /** Whether it ended with an error of its own. */
  hasFailed: boolean;
}

/** How long after its time a fetch is given up that says nothing, in milliseconds. */
const PATIENCE = 1000;

/**
 * A crawler's cache over `fetch`: fetches the robots.txt of a site when it is first asked about it, and again when it
 * expires, one request at a time a site. What a response or a failure means, and for how long, the dialect says.
 */
export class RobotsCache extends Owned {
  readonly #options: { userAgent: string; fetch: Fetch; isOwn: boolean; timeout: number; now: () => number };
  /** The fetches in the air, by the URL of robots.txt. */
  readonly #flights = new Map<string, Flight>();
  /** How many more fetches may begin, and those that wait for that. */
  #free: number;
  readonly #queue: (() => void)[] = [];
  /** What ends the waiting of each call when the cache is disposed. */
  readonly #waits = new Set<() => void>();

  constructor(agent: string | Crawler, given: CacheOptions) {
    const known = ["userAgent", "dialect", "cautious", "fetch", "maxFetches", "timeout", "memory", "now"];
    const { userAgent, dialect = "google", timeout = 30_000, memory = 64 << 20, ...rest } = options(given, known);
    const crawler = agent instanceof Crawler ? agent : Crawler.of(agent);
    wellFormed(userAgent, "userAgent");
    if (!/^[\x20-\x7e]+$/.test(userAgent!)) throw new TypeError("userAgent is a value of a header: printable ASCII");
    if (!crawler.names.some((name) => userAgent!.toLowerCase().includes(name.toLowerCase()))) {
      throw new AgentError(`the userAgent names none of ${crawler.names.join(", ") || "the crawler's names"}`);
    }
    whole(timeout, "timeout", 1, 2 ** 31 - 1);
    whole(memory, "memory", 1 << 16, 2 ** 31 - 1);
    const { fetch: ask = globalThis.fetch as Fetch, maxFetches = 512, now = Date.now } = rest;
    whole(maxFetches, "maxFetches", 1, 65_535);
    if (typeof ask !== "function") throw new TypeError("fetch is a function");
    if (typeof now !== "function") throw new TypeError("now is a function");
    const isOwn = rest.fetch !== undefined;
    const cautious = flag(rest.cautious, "cautious");
    const running = engine();
    const read = wellFormed(dialect, "a dialect");
    const make = (at: number) => running.object("cache", at, ...running.write(read), memory, cautious);
    super(running, withCrawler(running, crawler, make));
    this.#options = { userAgent: userAgent!, fetch: ask, isOwn, timeout, now };
    this.#free = maxFetches;
  }

  /** Says whether the crawler may fetch a URL now, and fetches the robots.txt of its site first if it has to. */
  async check(url: string, given?: CheckOptions): Promise<CacheAnswer> {
    attached(this, "check");
    const { signal } = options(given, ["signal"]);
    if (signal !== undefined && typeof signal?.addEventListener !== "function") {
      throw new TypeError("signal is an AbortSignal");
    }
    if (signal?.aborted) throw signal.reason;
    const known = this.#known(url);
    // A refresh can wait while others are in the air: there is time left until the copy expires.
    if (known.due === "refresh" && this.#free > 0) goOn(this.#refreshed(url, known));
    if (known.due !== "fetch") return known.answer;
    await this.#fetched(url, known, signal);
    return this.#known(url).answer;
  }

  /** Reports whether the crawler may fetch a URL now: `false` for a site of which nothing is known. */
  async isAllowed(url: string, given?: CheckOptions): Promise<boolean> {
    attached(this, "isAllowed");
    return (await this.check(url, given)).verdict === "allowed";
  }

  /** Returns what is known now, without a fetch. */
  peek(url: string): CacheAnswer {
    return this.#known(url).answer;
  }

  /** Returns the longest crawl delay that the held file of a URL's site states for the crawler, in seconds. */
  crawlDelay(url: string): number | undefined {
    const [delay] = this.#held(url);
    return delay ? Number(delay) : undefined;
  }

  /** Returns the sitemaps that the held file of a URL's site names; `undefined` if no file is held. */
  sitemaps(url: string): string[] | undefined {
    const [delay, ...sitemaps] = this.#held(url);
    return delay === undefined ? undefined : sitemaps;
  }

  /** Frees its memory now, and ends the fetches that are in the air. Calls that wait for one reject. */
  override dispose(): void {
    super.dispose();
    for (const { controller } of this.#flights.values()) controller.abort();
    for (const stop of this.#waits) stop();
    for (const begin of this.#queue.splice(0)) begin();
  }

  #held(url: string): string[] {
    const address = this.address;
    const lines = this.engine.text("cache_held", address, ...this.engine.write(wellFormed(url, "a URL"))).split("\n");
    // Each line has its end.
    lines.pop();
    return lines;
  }

  #known(url: string): Known {
    const address = this.address;
    const read = wellFormed(url, "a URL");
    const lines = this.engine.text("cache_check", address, ...this.engine.write(read), this.#seconds()).split("\n");
    const [verdict, due, reason, line, end, status, bodyKind, retryAt, text, robotsUrl, url_, etag, modified] = lines;
    const answer = {
      verdict: verdict as CacheAnswer["verdict"],
      reason: reason as CacheAnswer["reason"],
      line: line ? Number(line) : null,
      end: end || null,
      status: status ? Number(status) : null,
      bodyKind: bodyKind || null,
      retryAt: retryAt ? Number(retryAt) * 1000 : null,
      robotsUrl: robotsUrl!,
      text: text!,
    };
    return { answer, due: due!, conditions: { url: url_!, etag: etag!, modified: modified! } };
  }

  /** Fetches a robots.txt again for which no call waits: what goes wrong is noted, so that the site is left alone. */
  async #refreshed(url: string, known: Known): Promise<void> {
    try {
      await this.#fetched(url, known);
    } catch (error) {
      this.#record(url, noResponse(error));
    }
  }

  /** Waits for the fetch of a site's robots.txt, and starts it if there is none. */
  async #fetched(url: string, known: Known, signal?: Signal): Promise<void> {
    const { robotsUrl } = known.answer;
    for (let flight = this.#flights.get(robotsUrl); flight !== undefined; flight = this.#flights.get(robotsUrl)) {
      if (await this.#waited(flight, signal, false)) return;
      this.#giveUp(robotsUrl, flight);
    }
    const flight = this.#start(url, known);
    if (!(await this.#waited(flight, signal, true))) this.#giveUp(robotsUrl, flight);
  }

  /**
   * Waits for a fetch, and reports whether it ended well. Some hosts end what a request of theirs began with that
   * request: such a fetch never ends, or fails where another call waits for it, without an error of its own.
   */
  #waited(flight: Flight, signal: Signal | undefined, isFirst: boolean): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const stop = () => settle(() => reject(signal!.reason));
      const dispose = () => settle(() => reject(new RobotsError("it was disposed while a call waited")));
      let timer: ReturnType<typeof setTimeout> | undefined;
      const look = () => {
        if (flight.start === Infinity) this.#giveUpLost(flight);
        const left = this.#patience(flight);
        if (left <= 0) settle(() => resolve(false));
        else timer = setTimeout(look, left);
      };
      const settle = (end: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
        this.#waits.delete(dispose);
        end();
      };
      signal?.addEventListener("abort", stop);
      this.#waits.add(dispose);
      look();
      flight.ended.then(
        () => settle(() => resolve(!flight.isLost)),
        (error) => settle(() => (isFirst || flight.hasFailed ? reject(error) : resolve(false))),
      );
    });
  }

  /** Returns for how long a fetch is waited for, in milliseconds; for one without a turn, when to look again. */
  #patience({ start }: Flight): number {
    const limit = this.#options.timeout + PATIENCE;
    return Math.min(start + limit - Date.now(), limit, 2 ** 31 - 1);
  }

  #start(url: string, known: Known): Flight {
    const { robotsUrl } = known.answer;
    const controller = new AbortController();
    const flight = { start: Infinity, controller, hasTurn: false, isLost: false, hasFailed: false } as Flight;
    const failed = (error: unknown) => {
      flight.hasFailed = true;
      throw error;
    };
    flight.ended = this.#fetch(url, known, flight)
      .catch(failed)
      .finally(() => this.#forget(robotsUrl, flight));
    // Each call that waits gets the error.
    flight.ended.catch(() => {});
    this.#flights.set(robotsUrl, flight);
    return flight;
  }

  /** Gives up a fetch: when it comes late, it says nothing of the site. */
  #giveUp(robotsUrl: string, flight: Flight): void {
    flight.isLost = true;
    this.#forget(robotsUrl, flight);
  }

  /** Gives up the fetches that hold a turn and say nothing any more, for one that waits for a turn. */
  #giveUpLost(flight: Flight): void {
    for (const [robotsUrl, other] of this.#free > 0 ? [] : this.#flights) {
      if (other !== flight && this.#patience(other) <= 0) this.#giveUp(robotsUrl, other);
    }
  }

  /** Forgets a fetch that ended or was given up, and hands its turn on. */
  #forget(robotsUrl: string, flight: Flight): void {
    if (this.#flights.get(robotsUrl) === flight) this.#flights.delete(robotsUrl);
    if (!flight.hasTurn) return;
    flight.hasTurn = false;
    const next = this.#queue.shift();
    if (next === undefined) this.#free++;
    else next();
  }

  /** Takes a turn, or waits for one. */
  async #turn(flight: Flight): Promise<void> {
    this.#giveUpLost(flight);
    const begin = () => Object.assign(flight, { hasTurn: true, start: Date.now() });
    if (this.#free > 0) {
      this.#free--;
      begin();
    } else {
      await new Promise<void>((resolve) => this.#queue.push(() => (begin(), resolve())));
    }
  }

  async #fetch(url: string, { answer, conditions }: Known, flight: Flight): Promise<void> {
    // Throws before anything is sent if the cache was disposed.
    void this.address;
    await this.#turn(flight);
    void this.address;
    const ended = await fetchRobots(answer.robotsUrl, { ...this.#options, conditions }, flight.controller);
    if (!flight.isLost) this.#record(url, ended);
  }

  #record(url: string, ended: Ended): void {
    const address = this.address;
    const headers = ended.headers.flat().map((text) => text.replace(/[\r\n]/g, " ")).join("\n");
    const places = this.engine.write(url, headers, ended.body, ended.answered);
    const { end, status, redirects } = ended;
    this.engine.bytes("cache_record", address, ...places, end, status, redirects, this.#seconds());
  }

  #seconds(): number {
    const seconds = Math.floor(this.#options.now() / 1000);
    // A time in seconds would be one in January 1970.
    if (!(seconds >= YEAR_2000 && seconds < 2 ** 32)) {
      throw new RangeError("now returns milliseconds since 1970, of a time between 2000 and 2106");
    }
    return seconds;
  }
}

/** In seconds since 1970. */
const YEAR_2000 = 946_684_800;

function whole(value: unknown, name: string, least: number, most: number): void {
  if (!Number.isInteger(value)) throw new TypeError(`${name} is a whole number`);
  if ((value as number) < least || (value as number) > most) throw new RangeError(`${name} is from ${least} to ${most}`);
}

/** A URL that robots.txt does not let a crawler fetch. */
export class DisallowedError extends Error {
  override name = "DisallowedError";
  readonly answer: CacheAnswer;
  constructor(url: string, answer: CacheAnswer) {
    super(`${url} is not fetched: ${answer.text}`);
    this.answer = answer;
  }
}

/** What a hook needs of a request of Crawlee. */
interface CrawleeRequest {
  url: string;
  noRetry?: boolean;
}

/**
 * Returns a hook for `preNavigationHooks` of a crawler of Crawlee: a request that is not allowed fails with a
 * `DisallowedError` before it is sent. If a rule disallows it, it is not retried, and `failedRequestHandler` gets it.
 */
export function crawleeHook(cache: RobotsCache): (context: { request: CrawleeRequest }) => Promise<void> {
  if (!(cache instanceof RobotsCache)) throw new TypeError("crawleeHook takes a RobotsCache");
  return async ({ request }) => {
    const answer = await cache.check(request.url);
    if (answer.verdict === "allowed") return;
    // A site that fails can be asked again.
    if (answer.reason === "rule") request.noRetry = true;
    throw new DisallowedError(request.url, answer);
  };
}
