import type { IncomingMessage } from 'node:http'

/** Reads a JSON body with a cap on its size and its nesting. */

const MAX_BYTES = 1_048_576
const MAX_DEPTH = 64

export type JsonBody = { ok: true; value: unknown } | { ok: false; status: 400 | 413 | 415 }

export async function readJson(request: IncomingMessage): Promise<JsonBody> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') return { ok: false, status: 415 }
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) return { ok: false, status: 413 }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) return { ok: false, status: 413 }
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  if (isTooDeep(text)) return { ok: false, status: 400 }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false, status: 400 }
  }
}

/** Counted before parsing: a parser that recurses must never see it. Brackets in strings do not count. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === 92) at++
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 91 || code === 123) {
      if (++depth > MAX_DEPTH) return true
    } else if (code === 93 || code === 125) depth--
  }
  return false
}
