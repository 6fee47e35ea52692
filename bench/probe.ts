import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded in front of a measured program (`node --import`): when it exits, writes what it cost to $PROBE_FILE.
 * CPU counts all threads of the process; the loop delay is the main thread's, at a resolution of 1 ms.
 */
export interface Probe {
  cpuMs: number
  peakRssMb: number
  loopP50Ms: number
  loopP99Ms: number
  loopMaxMs: number
}

const file = process.env.PROBE_FILE
if (isMainThread && file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  process.on('exit', () => {
    const { user, system } = process.cpuUsage()
    const probe: Probe = {
      cpuMs: (user + system) / 1000,
      peakRssMb: process.resourceUsage().maxRSS / 1024,
      loopP50Ms: delay.percentile(50) / 1e6,
      loopP99Ms: delay.percentile(99) / 1e6,
      loopMaxMs: delay.max / 1e6,
    }
    writeFileSync(file, JSON.stringify(probe))
  })
}
