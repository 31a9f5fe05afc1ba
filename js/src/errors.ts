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

/** @internal Returns the error for a negative number of the module. */
export function errorOf(code: number, message: string, index?: number): Error {
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
