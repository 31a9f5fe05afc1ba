import wasm from "../wasm/analysis.wasm";
import type { Diff, Explanation, Finding, Fixed, Formatted, Preferences } from "./answers.js";
import type { Crawler } from "./crawler.js";
import { RobotsError } from "./errors.js";
import { engines } from "./loaded.js";
import { type ParseOptions, Robots, withCrawler } from "./robots.js";
import { type Bytes, flag, options, wellFormed } from "./values.js";

export type { Diff, ExplainedRule, Explanation, Finding, Fixed, Formatted, Labels, Preferences } from "./answers.js";
export { Crawler } from "./crawler.js";
export { AgentError, ProgramError, RobotsError, UrlError } from "./errors.js";
export type { Dialect, Matcher, ParseOptions, Robots } from "./robots.js";
export type { Bytes } from "./values.js";

const engine = engines(wasm);

/** A parsed robots.txt that can be explained, checked and formatted, too. */
class AnalysedRobots extends Robots {
  /** Explains whether an agent may fetch a URL. */
  explain(agent: string | Crawler, url: string): Explanation {
    return this.#ofUrl("explain", agent, url) as Explanation;
  }

  /** Returns what is wrong with the file. */
  lint(): Finding[] {
    return JSON.parse(this.engine.text("lint", this.address)) as Finding[];
  }

  /** Returns the file after the fixes of its findings; those that can change a verdict only if `unsafe` asks for it. */
  fix(given?: { unsafe?: boolean | undefined }): Fixed {
    const { unsafe } = options(given, ["unsafe"]);
    return JSON.parse(this.engine.text("fix", this.address, flag(unsafe, "unsafe"))) as Fixed;
  }

  /** Returns what changed from this file to a newer one. */
  diff(newer: AnalysedRobots, given?: { asWritten?: boolean | undefined }): Diff {
    const { asWritten } = options(given, ["asWritten"]);
    if (!(newer instanceof AnalysedRobots)) throw new TypeError("the newer file is a parsed robots.txt of this entry");
    if (newer.engine !== this.engine) throw new RobotsError("the module stopped since one was parsed: parse it again");
    const flags = flag(asWritten, "asWritten");
    return JSON.parse(this.engine.text("diff", this.address, newer.address, flags)) as Diff;
  }

  /** Returns the file in one spelling; as small as it can be with `minify`. */
  format(given?: { minify?: boolean | undefined }): Formatted {
    const { minify } = options(given, ["minify"]);
    return JSON.parse(this.engine.text("format", this.address, flag(minify, "minify"))) as Formatted;
  }

  /** Returns what may be done with a page; `undefined` if it may not be fetched. */
  preferences(agent: string | Crawler, url: string): Preferences | undefined {
    return (this.#ofUrl("preferences", agent, url) as Preferences | null) ?? undefined;
  }

  #ofUrl(name: string, agent: string | Crawler, url: string): unknown {
    const address = this.address;
    const read = wellFormed(url, "a URL");
    return withCrawler(this.engine, agent, (crawler) =>
      JSON.parse(this.engine.text(name, address, crawler, ...this.engine.write(read))),
    );
  }
}
export type { AnalysedRobots };

/** Parses a robots.txt: any bytes parse. Pass the body of a response of status 200. */
export function parse(body: string | Bytes, options?: ParseOptions): AnalysedRobots {
  return new AnalysedRobots(engine(), body, options);
}
