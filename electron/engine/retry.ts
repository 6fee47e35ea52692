/** How long to wait before the next try of a URL, in milliseconds: doubling from one second, at most a minute, with jitter. */
const FIRST_MS = 1_000
const LONGEST_MS = 60_000

/**
 * @param tries tries so far, from 1
 * @param random a number from 0 to below 1; the wait is between half of the full one and all of it
 */
export function backoffMs(tries: number, random: () => number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(tries - 1, 30))
  return Math.round(full * (0.5 + random() / 2))
}
