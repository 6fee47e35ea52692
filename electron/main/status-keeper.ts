import { BrowserWindow, Notification, powerSaveBlocker } from 'electron'
import type { Application } from '../service/compose.ts'
import { desktopStatus } from './desktop-status.ts'
import type { ShellWords } from './shell-words.ts'

/** Keeps dock, taskbar and power management up to what runs, and says when a crawl has ended behind the user's back. */
export class StatusKeeper {
  readonly #application: Application
  readonly #words: () => ShellWords
  readonly #onClick: (id: string) => void
  #running: ReadonlySet<string> = new Set()
  /** What each window shows. A window that is opened anew, on a Mac, finds the dock as the one before has left it. */
  readonly #bars = new WeakMap<BrowserWindow, number>()
  #blocker: number | null = null

  /** @param onClick called with the crawl whose notification was clicked */
  constructor(application: Application, words: () => ShellWords, onClick: (id: string) => void) {
    this.#application = application
    this.#words = words
    this.#onClick = onClick
    application.events.subscribe(({ closing }) => this.#update(closing !== null))
  }

  #update(isEnding: boolean): void {
    const running = this.#application.crawls.progress()
    const facts = { before: this.#running, running, isEnding }
    const { bar, keepAwake, ended } = desktopStatus(facts, this.#application.settings(), process.platform)
    this.#running = new Set(Object.keys(running))
    for (const window of BrowserWindow.getAllWindows()) this.#showBar(window, bar)
    this.#keepAwake(keepAwake)
    if (BrowserWindow.getFocusedWindow() === null) for (const id of ended) this.#notify(id).catch(ignore)
  }

  #showBar(window: BrowserWindow, bar: number): void {
    if (this.#bars.get(window) === bar) return
    this.#bars.set(window, bar)
    window.setProgressBar(bar)
  }

  #keepAwake(wanted: boolean): void {
    if (wanted === (this.#blocker !== null)) return
    if (this.#blocker === null) this.#blocker = powerSaveBlocker.start('prevent-app-suspension')
    else {
      powerSaveBlocker.stop(this.#blocker)
      this.#blocker = null
    }
  }

  async #notify(id: string): Promise<void> {
    const { state, seeds, counts } = await this.#application.handlers['crawl.read']({ id })
    const words = this.#words()
    if (!(state in words.ended) || !Notification.isSupported()) return
    const site = seeds[0]?.replace(/^https?:\/\//, '').replace(/\/$/, '') ?? id
    const body = counts === null ? '' : words.done(counts.done, counts.final_failed)
    const notification = new Notification({ title: `${site}: ${words.ended[state as keyof typeof words.ended]}`, body })
    notification.on('click', () => this.#onClick(id))
    notification.show()
  }
}

/** A crawl whose file has gone meanwhile has nothing to be told of. */
const ignore = (): void => {}
