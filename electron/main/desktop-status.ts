import type { AppSettings } from '../../shared/app-settings.ts'
import type { EventBatch } from '../../shared/contract.ts'

/** What dock, taskbar and power management should show and do, from what runs. */
export interface DesktopStatus {
  /** As BrowserWindow.setProgressBar takes it: -1 none, 0 to 1 a part, 2 no telling. */
  bar: number
  keepAwake: boolean
  /** Crawls that ran before and do so no more, if the user wants to hear of it. */
  ended: string[]
}

export interface DesktopFacts {
  /** Crawls that ran when it was looked last. */
  before: ReadonlySet<string>
  running: EventBatch['progress']
  /** The app ends, and its crawls with it: the user knows. */
  isEnding: boolean
}

const NO_BAR = -1
const NO_TELLING = 2

export function desktopStatus(
  { before, running, isEnding }: DesktopFacts,
  settings: AppSettings,
  platform: NodeJS.Platform,
): DesktopStatus {
  const states = Object.values(running)
  return {
    bar: states.length === 0 ? NO_BAR : platform === 'linux' ? partDone(states) : NO_TELLING,
    keepAwake: settings.keepAwake && states.length > 0,
    ended: settings.notify && !isEnding ? [...before].filter((id) => !(id in running)) : [],
  }
}

/** Linux knows no bar without a part. How much there is to do is known only at the end. */
function partDone(states: EventBatch['progress'][string][]): number {
  let [over, all] = [0, 0]
  for (const { counts } of states) {
    over += counts.done + counts.final_failed + counts.skipped
    all += Object.values(counts).reduce((sum, each) => sum + each, 0)
  }
  return all === 0 ? 0 : over / all
}
