/** The addresses of a srcset attribute (HTML "parsing a srcset attribute"); descriptors are skipped. Linear. */

const SPACE = /[\t\n\f\r ]/
const MAX_CANDIDATES = 200

export function parseSrcset(value: string): string[] {
  const urls: string[] = []
  let at = 0
  while (urls.length < MAX_CANDIDATES) {
    while (at < value.length && (SPACE.test(value[at]!) || value[at] === ',')) at++
    if (at >= value.length) break
    const start = at
    while (at < value.length && !SPACE.test(value[at]!)) at++
    let end = at
    while (end > start && value[end - 1] === ',') end--
    if (end > start) urls.push(value.slice(start, end))
    if (end === at) at = afterDescriptor(value, at)
  }
  return urls
}

/** Commas inside parentheses do not end a descriptor. */
function afterDescriptor(value: string, start: number): number {
  let depth = 0
  for (let at = start; at < value.length; at++) {
    const character = value[at]
    if (character === '(') depth++
    else if (character === ')') depth = Math.max(0, depth - 1)
    else if (character === ',' && depth === 0) return at + 1
  }
  return value.length
}
