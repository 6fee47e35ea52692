import { Failure } from '../../shared/failure.ts'

/** What only a desktop can do. Paths stay on this side of the contract. */
export interface HostActions {
  /** Asks for a crawl file; null when the user chose none. */
  chooseCrawlFile(): Promise<string | null>
  /** Asks where to save; null when the user chose nothing. */
  chooseExportPath(name: string): Promise<string | null>
  reveal(path: string): void
  /** Moves a file to the system's trash. Rejects when it cannot be moved. */
  trash(path: string): Promise<void>
  /** @param url http or https, parsed */
  openOutside(url: URL): Promise<void>
  quitNow(): void
}

/** @throws Failure `bad_input` in a browser */
export function onDesktop(actions: HostActions | null): HostActions {
  if (actions === null) throw new Failure('bad_input', 'Only the desktop app can do this.')
  return actions
}
