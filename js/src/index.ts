import wasm from "../wasm/matching.wasm";
import { engines } from "./loaded.js";
import { type ParseOptions, Robots } from "./robots.js";
import type { Bytes } from "./values.js";

export { Crawler } from "./crawler.js";
export { AgentError, ProgramError, RobotsError, UrlError } from "./errors.js";
export type { Dialect, Matcher, ParseOptions, Robots } from "./robots.js";
export type { Bytes } from "./values.js";

const engine = engines(wasm);

/** Parses a robots.txt: any bytes parse. Pass the body of a response of status 200. */
export function parse(body: string | Bytes, options?: ParseOptions): Robots {
  return new Robots(engine(), body, options);
}
