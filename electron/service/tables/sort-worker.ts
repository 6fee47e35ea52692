import { parentPort } from 'node:worker_threads'
import { sortByNumber, sortByText } from './sort-rows.ts'

/** Runs in a worker thread: keys in, sorted row ids out. Texts come some thousand at a time, ahead of their ids. */

type Ids = Uint32Array<ArrayBuffer>

export type SortMessage =
  | { job: number; texts: string[] }
  | { job: number; ids: Ids; numbers: Float64Array | null; descending: boolean }
  | { job: number; forget: true }
export type Sorted = { job: number; ids: Ids }

const texts = new Map<number, string[][]>()

parentPort?.on('message', (message: SortMessage) => {
  const { job } = message
  if ('texts' in message) {
    const before = texts.get(job)
    if (before === undefined) texts.set(job, [message.texts])
    else before.push(message.texts)
  } else if ('forget' in message) texts.delete(job)
  else {
    const { ids, numbers, descending } = message
    const keys = texts.get(job)?.flat() ?? []
    texts.delete(job)
    const sorted = numbers === null ? sortByText(ids, keys, descending) : sortByNumber(ids, numbers, descending)
    parentPort?.postMessage({ job, ids: sorted } satisfies Sorted, [sorted.buffer])
  }
})
