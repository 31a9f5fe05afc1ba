import { AgentError } from "./errors.js";
import { flag, options, wellFormed } from "./values.js";

/** A crawler with several names, or without one. If one name is enough, pass it as a string. */
export class Crawler {
  /** How it finds its groups, as the module numbers it. */
  readonly way: number;
  /** Its names, in order. */
  readonly names: readonly string[];

  private constructor(way: number, names: readonly string[]) {
    if (typeof way !== "number") throw new TypeError("no constructor for callers: use Crawler.of(name)");
    this.way = way;
    this.names = Object.freeze([...names]);
    for (const name of this.names) wellFormed(name, "an agent");
    Object.freeze(this);
  }

  /**
   * Returns the crawler with a name, as its operator documents it; `asWritten` takes the name alone, and `namedOnly` in
   * addition only the groups that name it.
   */
  static of(name: string, given?: { asWritten?: boolean | undefined; namedOnly?: boolean | undefined }): Crawler {
    const { asWritten, namedOnly } = options(given, ["asWritten", "namedOnly"]);
    const way = flag(namedOnly, "namedOnly") ? 5 : flag(asWritten, "asWritten");
    return new Crawler(way, [name]);
  }

  /** Returns a crawler with names in order: the first that the file has a group for decides. */
  static chain(...names: string[]): Crawler {
    return new Crawler(2, some(names));
  }

  /** Returns a crawler that obeys the groups of all its names. */
  static pool(...names: string[]): Crawler {
    return new Crawler(3, some(names));
  }

  /** Returns the crawler that no file names: it obeys the groups for `*`. */
  static others(): Crawler {
    return new Crawler(4, []);
  }
}

function some(names: string[]): string[] {
  if (names.length === 0) throw new AgentError("no agent name: for a crawler that no file names use Crawler.others()");
  return names;
}
