/** A rule that matches a URL. */
export interface ExplainedRule {
  line: number | null;
  kind: "allow" | "disallow";
  verdict: "allowed" | "disallowed";
  length: number | null;
  pattern?: string;
  source?: string;
  start: number;
  end: number;
  origin: string;
}

/** Why a URL is allowed or disallowed: docs/schema/explanation.json. */
export interface Explanation {
  type: "explanation";
  verdict: "allowed" | "disallowed";
  agent: string;
  note: string | null;
  dialect: string;
  url?: string;
  path?: string;
  selection: { reason: string; tokens: string[]; groups: object[] };
  rule: ExplainedRule | null;
  also_matching: ExplainedRule[];
  order_undefined: boolean;
  least_restrictive_line: number | null;
  diagnostics: { code: string; severity: string; line: number; start: number; end: number; message: string }[];
  other_dialects: { dialect: string; verdict?: string; line?: number | null; error?: string }[];
  near_misses: {
    line: number;
    kind: "allow" | "disallow";
    source?: string;
    reasons: string[];
    pattern?: string;
    path?: string | null;
    decides: boolean;
    decided_by: number | null;
    sentence: string;
  }[];
  near_misses_complete: boolean;
  not_obeyed: {
    line: number;
    kind: "allow" | "disallow";
    source?: string;
    cause: "own-group" | "named-only" | "near-name" | "no-group" | "unread-line";
    agent_line: number | null;
    sentence: string;
  }[];
  openings: {
    edit: "add" | "remove" | "empty";
    lines: number[];
    text?: string;
    opens?: string | null;
    is_decided: boolean;
    sentence: string;
  }[];
  robots_url: string | null;
}

/** What a check found. */
export interface Finding {
  code: string;
  severity: "error" | "warning" | "note";
  line: number;
  column: number;
  end_column: number;
  start: number;
  end: number;
  message: string;
  witness: string | null;
  related_lines: number[];
  fix: { title: string; safe: boolean; edits: { start: number; end: number; text?: string; text_b64?: string }[] } | null;
}

/** A file after its fixes. What is not UTF-8 is in base64 under `text_b64`. */
export interface Fixed {
  text?: string;
  text_b64?: string;
  applied: number;
  refused: number;
}

/** What changed from one file to another. */
export interface Diff {
  changes: ({ type: string } & Record<string, unknown>)[];
  summary: { result: "same" | "different" | "not-decided"; newly_blocked: number; newly_allowed: number } & Record<
    string,
    unknown
  >;
}

/** A file after formatting. What is not UTF-8 is in base64 under `text_b64`. */
export interface Formatted {
  text?: string;
  text_b64?: string;
  changed: boolean;
  bytes_before: number;
  bytes: number;
  left: string | null;
  rules_before?: number;
  rules?: number;
  decided?: boolean;
}

/** What is said of some uses, by label. */
export type Labels = Record<string, { preference: string; lines: number[]; corresponds_to?: string }>;

/** What may be done with a page that may be fetched. */
export interface Preferences {
  content_usage: { vocabulary: string; lines: number[]; labels: Labels };
  content_signal: { lines: number[]; labels: Labels; use: { level: string | null; lines: number[] } };
}
