/** Lets work go on that no call waits for. Whoever waits for its end elsewhere gets its error. */
export function goOn(work: Promise<void>): void {
  work.catch(() => {});
}
