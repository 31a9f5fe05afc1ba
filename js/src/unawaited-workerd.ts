import * as workers from "cloudflare:workers";

/** Lets work go on that no call waits for: otherwise it would end with the request that began it. */
export function goOn(work: Promise<void>): void {
  const kept = work.catch(() => {});
  // Tools of before August 2025 lack it.
  workers.waitUntil?.(kept);
}
