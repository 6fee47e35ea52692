import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A site whose start page leads to pages that answer and to pages that never do. */
export interface HangingSite {
  url: string
  /** Requests that wait for an answer. */
  hanging(): number
  /** Pages that were answered, the start page among them. */
  answered(): number
  stop(): Promise<void>
}

export async function startHangingSite(hanging: number, answering: number): Promise<HangingSite> {
  const waiting = new Set<unknown>()
  let answered = 0
  const links = (word: string, count: number): string =>
    Array.from({ length: count }, (_, n) => `<a href="/${word}/${n}">${n}</a>`).join('')
  const start = links('answers', answering) + links('hangs', hanging)
  const server = createServer((request, response) => {
    const path = request.url!
    if (path.startsWith('/hangs/')) {
      waiting.add(response)
      response.once('close', () => waiting.delete(response))
    } else if (path === '/' || path.startsWith('/answers/')) {
      answered++
      response.writeHead(200, { 'content-type': 'text/html' }).end(path === '/' ? start : '<p>here</p>')
    } else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    hanging: () => waiting.size,
    answered: () => answered,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
