import { parentPort } from 'node:worker_threads'
import { sortByNumber, sortByText } from './sort-rows.ts'

/**
 * Runs in a worker thread: keys in, sorted row ids out, one sort at a time. Texts come some thousand at a time, ahead of
 * their ids.
 */

type Ids = Uint32Array<ArrayBuffer>

export type SortMessage = { texts: string[] } | { ids: Ids; numbers: Float64Array | null; descending: boolean }
export type Sorted = { ids: Ids }

let texts: string[][] = []

parentPort?.on('message', (message: SortMessage) => {
  if ('texts' in message) {
    texts.push(message.texts)
    return
  }
  const { ids, numbers, descending } = message
  const keys = texts.flat()
  texts = []
  const sorted = numbers === null ? sortByText(ids, keys, descending) : sortByNumber(ids, numbers, descending)
  parentPort?.postMessage({ ids: sorted } satisfies Sorted, [sorted.buffer])
})
