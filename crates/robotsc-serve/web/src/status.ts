// What the status of an answer means.

/** The status of what is over a limit. */
export const TOO_LARGE = 413;
