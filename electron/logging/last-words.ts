import type { ProcessLog } from './process-log.ts'

/** Sees to it that the log is whole however the process ends, short of a kill -9. */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Where a host listens to a signal itself, the end is its own; else the signal ends the process as if nobody had listened. */
export function keepLastWords(log: ProcessLog): void {
  process.on('exit', (code) => {
    log.info('process ends', { code })
    log.flushSync()
  })
  process.on('uncaughtExceptionMonitor', (error, origin) => {
    log.error(origin === 'unhandledRejection' ? 'unhandled rejection' : 'uncaught exception', { error })
    log.flushSync()
  })
  for (const signal of SIGNALS) {
    const handle = (): void => {
      log.info('signal', { signal })
      log.flushSync()
      if (process.listenerCount(signal) > 1) return
      process.removeListener(signal, handle)
      process.kill(process.pid, signal)
    }
    process.on(signal, handle)
  }
}
