import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, it } from 'vitest'
import type { ParseJob, ParseResult } from '../../shared/parse-job.ts'

const worker = new Worker(new URL('./parse-worker.ts', import.meta.url))
afterAll(() => worker.terminate())

const jobOf = (id: number): ParseJob => ({
  id,
  want: 'page',
  url: 'https://example.test/',
  status: 200,
  contentType: 'text/html',
  contentEncoding: id % 10 === 3 ? 'gzip, gzip, gzip' : '',
  body: Uint8Array.from(Buffer.from(`<title>${id}</title><a href=/${id}>${id}</a>`)).buffer,
  maxBytes: 1_000,
})

async function resultsOf(count: number): Promise<{ results: ParseResult[]; batches: number[] }> {
  const results: ParseResult[] = []
  const batches: number[] = []
  while (results.length < count) {
    const [batch] = (await once(worker, 'message')) as [ParseResult[]]
    results.push(...batch)
    batches.push(batch.length)
  }
  return { results, batches }
}

describe('the worker', () => {
  it('answers every job, in order, in batches of at most 16', async () => {
    const answers = resultsOf(50)
    const jobs = Array.from({ length: 50 }, (_, id) => jobOf(id))
    worker.postMessage(jobs[0], [jobs[0]!.body])
    worker.postMessage(
      jobs.slice(1),
      jobs.slice(1).map((job) => job.body),
    )
    const { results, batches } = await answers
    expect(results.map(({ id }) => id)).toEqual(jobs.map(({ id }) => id))
    expect(results[4]?.page).toMatchObject({
      title: '4',
      links: { urls: ['https://example.test/4'], kinds: Uint8Array.of(0) },
    })
    expect(results[3]?.fault).toBe('unsupported_encoding')
    expect(Math.max(...batches)).toBe(16)
  })

  it('answers a single job at once', async () => {
    const answer = resultsOf(1)
    worker.postMessage(jobOf(1))
    expect((await answer).results[0]?.page?.title).toBe('1')
  })
})
