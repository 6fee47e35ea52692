/** The addresses of a srcset attribute (HTML §4.8.4.2.1, "parsing a srcset attribute"). */

const MAX_CANDIDATES = 200

/** At most 200; descriptors are skipped, not judged: a candidate with a wrong one still names a file. Linear. */
export function parseSrcset(value: string): string[] {
  const urls: string[] = []
  let at = 0
  while (urls.length < MAX_CANDIDATES) {
    while (at < value.length && (isSpace(value, at) || value[at] === ',')) at++
    if (at >= value.length) break
    const start = at
    while (at < value.length && !isSpace(value, at)) at++
    // A comma inside an address belongs to it; commas at its end say that no descriptor follows.
    let end = at
    while (value[end - 1] === ',') end--
    urls.push(value.slice(start, end))
    if (end === at) at = afterDescriptors(value, at)
  }
  return urls
}

/** The position behind the comma that ends them; commas inside parentheses do not, and parentheses do not nest. */
function afterDescriptors(value: string, start: number): number {
  let inParentheses = false
  for (let at = start; at < value.length; at++) {
    const character = value[at]
    if (character === '(') inParentheses = true
    else if (character === ')') inParentheses = false
    else if (character === ',' && !inParentheses) return at + 1
  }
  return value.length
}

const isSpace = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code === 32 || code === 9 || code === 10 || code === 12 || code === 13
}
