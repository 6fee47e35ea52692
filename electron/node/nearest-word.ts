/** The known word a misspelt one most likely means; null if none is near. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  const scored = known.map((each) => ({ each, distance: editDistance(word.toLowerCase(), each.toLowerCase()) }))
  const best = scored.sort((a, b) => a.distance - b.distance)[0]
  return best && best.distance <= 3 ? best.each : null
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
