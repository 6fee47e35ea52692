import { resolve } from 'node:path'

/** The crawl file that the app was started with; null if none. @param argv without the program and the app's folder */
export function openedFile(argv: readonly string[], cwd: string): string | null {
  const file = argv.findLast((each) => !each.startsWith('-') && each.endsWith('.sandpiper'))
  return file === undefined ? null : resolve(cwd, file)
}
