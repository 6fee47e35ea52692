/** Numbers, sizes and times as people read them. @param language of the app, a BCP 47 tag */

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

export const formatCount = (value: number, language: string): string => numberFormat(language).format(value)

/** 1,234 bytes is 1.2 KB. */
export function formatBytes(bytes: number, language: string): string {
  if (bytes < 1_000) return `${formatCount(bytes, language)} B`
  const units = ['KB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = -1
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000
    unit++
  }
  const digits = value < 9.95 ? 1 : 0
  return `${value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${units[unit]}`
}

/** "2 hours ago" @param at @param now wall milliseconds */
export function formatWhen(at: number, now: number, language: string): string {
  const [unit, size] = STEPS.find(([, each]) => now - at >= each) ?? ['second', 1_000]
  return relativeFormat(language).format(-Math.max(0, Math.floor((now - at) / size)), unit)
}

/** Date and time to the second. @param at wall milliseconds */
export const formatTime = (at: number, language: string): string =>
  new Date(at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'medium' })

/** 327,000 ms is 00:05:27. */
export function formatClock(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

/** Making a formatter costs more than using it a thousand times. */
function kept<T>(make: (language: string) => T): (language: string) => T {
  const made = new Map<string, T>()
  return (language) => {
    const found = made.get(language) ?? make(language)
    made.set(language, found)
    return found
  }
}

const numberFormat = kept((language) => new Intl.NumberFormat(language))
const relativeFormat = kept((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))
