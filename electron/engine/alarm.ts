/** One timer that rings at the earliest time it has been set to. */
export class Alarm {
  readonly #ring: () => void
  #timer: NodeJS.Timeout | undefined
  #at = Number.POSITIVE_INFINITY

  constructor(ring: () => void) {
    this.#ring = ring
  }

  /** @param at when to ring, on the same clock as `now`, in milliseconds */
  set(at: number, now: number): void {
    if (at >= this.#at) return
    clearTimeout(this.#timer)
    this.#at = at
    this.#timer = setTimeout(
      () => {
        this.#at = Number.POSITIVE_INFINITY
        this.#ring()
      },
      Math.max(1, at - now),
    )
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#at = Number.POSITIVE_INFINITY
  }
}
