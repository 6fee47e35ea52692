/** Retry-After (RFC 9110 §10.2.3): seconds, or one of the three date formats of §5.6.7. */

const LONGEST_MS = 24 * 3_600_000
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'
const MONTH = `(${MONTHS.replaceAll(' ', '|')})`
const IMF_DATE = new RegExp(`^[A-Z][a-z]{2}, (\\d{2}) ${MONTH} (\\d{4}) (\\d{2}:\\d{2}:\\d{2}) GMT$`)
const RFC850_DATE = new RegExp(`^[A-Z][a-z]{5,8}, (\\d{2})-${MONTH}-(\\d{2}) (\\d{2}:\\d{2}:\\d{2}) GMT$`)
const ASCTIME_DATE = new RegExp(`^[A-Z][a-z]{2} ${MONTH} ([ \\d]\\d) (\\d{2}:\\d{2}:\\d{2}) (\\d{4})$`)

/**
 * Milliseconds to wait, from 0 to 24 hours; null if the header is absent or says nothing valid. Of several, the longest.
 * @param nowMs wall clock
 */
export function parseRetryAfter(value: string | string[] | undefined, nowMs: number): number | null {
  const waits = [value ?? []].flat().map((each) => parseOne(each.trim(), nowMs))
  const valid = waits.filter((wait) => wait !== null)
  return valid.length === 0 ? null : Math.max(...valid)
}

function parseOne(text: string, nowMs: number): number | null {
  if (/^\d+$/.test(text)) return clamp(Number(text) * 1_000)
  const at = parseHttpDate(text, nowMs)
  return at === null ? null : clamp(at - nowMs)
}

const clamp = (waitMs: number): number => Math.min(LONGEST_MS, Math.max(0, waitMs))

function parseHttpDate(text: string, nowMs: number): number | null {
  const imf = IMF_DATE.exec(text)
  if (imf) return timeOf(Number(imf[3]), imf[2]!, imf[1]!, imf[4]!)
  const rfc850 = RFC850_DATE.exec(text)
  if (rfc850) return timeOf(fullYear(Number(rfc850[3]), nowMs), rfc850[2]!, rfc850[1]!, rfc850[4]!)
  const asctime = ASCTIME_DATE.exec(text)
  if (asctime) return timeOf(Number(asctime[4]), asctime[1]!, asctime[2]!, asctime[3]!)
  return null
}

/** A two-digit year more than 50 years ahead is of the past century. */
function fullYear(twoDigits: number, nowMs: number): number {
  const thisYear = new Date(nowMs).getUTCFullYear()
  const year = thisYear - (thisYear % 100) + twoDigits
  return year > thisYear + 50 ? year - 100 : year
}

/** Null for a day or a time that does not exist; second 60 is a leap second. */
function timeOf(year: number, month: string, day: string, time: string): number | null {
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number)
  const midnight = Date.UTC(year, MONTHS.indexOf(month) / 4, Number(day))
  if (new Date(midnight).getUTCDate() !== Number(day) || hour > 23 || minute > 59 || second > 60) return null
  return midnight + ((hour * 60 + minute) * 60 + second) * 1_000
}
