/** Notices when nothing has arrived for too long. */
export class Silence {
  readonly #limitMs: number
  #bytes = -1
  #sinceMs = 0

  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  /**
   * True once `bytes` has been the same for the whole limit. Fewer bytes are a sign of life too: something was moved.
   * @param nowMs of a clock that only goes forward
   */
  lasts(bytes: number, nowMs: number): boolean {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes
      this.#sinceMs = nowMs
    }
    return nowMs - this.#sinceMs >= this.#limitMs
  }
}
