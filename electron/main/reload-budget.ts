/** A page that died is loaded anew, but not for ever: after a few times in a minute something is wrong. */
const TIMES = 3
const WITHIN_MS = 60_000

export class ReloadBudget {
  #spent: number[] = []

  /** May it be loaded once more? @param now monotonic milliseconds */
  spend(now: number): boolean {
    this.#spent = this.#spent.filter((at) => now - at < WITHIN_MS)
    if (this.#spent.length >= TIMES) return false
    this.#spent.push(now)
    return true
  }
}
