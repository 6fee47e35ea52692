/** Time, passed in so that tests can step it. Milliseconds. */
export interface Clock {
  /** Wall time: stored, shown, may jump. */
  wall(): number
  /** Never goes back: for delays and durations. */
  mono(): number
}

export const systemClock: Clock = { wall: () => Date.now(), mono: () => performance.now() }
