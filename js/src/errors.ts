/** A question that has no answer, and what to write instead. */
export class RobotsError extends Error {
  override name = "RobotsError";
}

/** The agent is no agent name. */
export class AgentError extends RobotsError {
  override name = "AgentError";
}

/** The URL has no path on this site. `index` says which of several it is. */
export class UrlError extends RobotsError {
  override name = "UrlError";
  readonly index: number | undefined;
  constructor(message: string, index?: number) {
    super(index === undefined ? message : `URL ${index}: ${message}`);
    this.index = index;
  }
}

/** The bytes are no program, or the rules are too large for one. */
export class ProgramError extends RobotsError {
  override name = "ProgramError";
}

/** Items of the library that its messages name, and what to do here. */
const NAMES: [RegExp, string][] = [
  [/use HeaderNames::crawler/g, "pass the name alone"],
  [/Crawler::others(?:\(\))?/g, "Crawler.others()"],
  [/ask for these alone/g, "use Crawler.others()"],
  [/\b([A-Z]\w*)::(\w+)/g, "$1.$2"],
];

/** Returns a message of the library with the names of this package. */
function named(message: string): string {
  return NAMES.reduce((text, [rust, here]) => text.replace(rust, here), message);
}

/** @internal Returns the error for a negative number of the module. */
export function errorOf(code: number, text: string, index?: number): Error {
  const message = named(text);
  switch (code) {
    case -2:
      return new AgentError(message);
    case -3:
      return new UrlError(message, index);
    case -4:
      return new ProgramError(message);
    default:
      return new RobotsError(message);
  }
}
