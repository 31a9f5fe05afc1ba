/** Lets work go on that no call waits for. Calls that wait for its end elsewhere get its error. */
export function goOn(work: Promise<void>): void {
  work.catch(() => {});
}
