import { parentPort } from 'node:worker_threads'
import type { ParseJob, ParseResult } from '../../shared/parse-job.ts'
import { parseBody } from './parse-body.ts'

/** Runs in a worker thread: bodies in, facts out. Answers go back together, since each message costs. */

const BATCH = 16

let results: ParseResult[] = []

parentPort?.on('message', (message: ParseJob | ParseJob[]) => {
  for (const job of Array.isArray(message) ? message : [message]) {
    if (results.length === 0) setImmediate(send)
    results.push(parseBody(job))
    // Gives the memory back now, not when the collector comes by.
    job.body.transfer(0)
    if (results.length >= BATCH) send()
  }
})

function send(): void {
  if (results.length === 0) return
  parentPort?.postMessage(results)
  results = []
}
