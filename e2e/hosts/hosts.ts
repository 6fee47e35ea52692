import { electron } from './electron.ts'
import { electronStandIn } from './electron-stand-in.ts'
import { type HostKind, loopback } from './host.ts'

/** Where the app can run for a spec. What cannot be had here is skipped, and says why. */
export const HOSTS: HostKind[] = [loopback, electronStandIn, electron]
for (const { name, missing } of HOSTS) if (missing !== null) console.log(`skipped in ${name}: ${missing}`)
