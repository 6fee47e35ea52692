/** Numbers and times as people read them, by the user's locale. */

const counts = new Intl.NumberFormat()
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

export const formatCount = (value: number): string => counts.format(value)

/** 1,234 bytes is 1.2 KB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  const units = ['KB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = -1
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000
    unit++
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`
}

/** "2 hours ago" @param at @param now wall milliseconds */
export function formatWhen(at: number, now: number): string {
  const [unit, size] = STEPS.find(([, each]) => now - at >= each) ?? ['second', 1_000]
  return relative.format(-Math.max(0, Math.floor((now - at) / size)), unit)
}
