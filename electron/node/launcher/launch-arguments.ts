import { resolve } from 'node:path'

/** What stands behind `npm start --`, sorted by whom it is for. */
export interface LaunchArguments {
  /** --browser: the browser, even where a window could open. */
  browser: boolean
  /** For `sandpiper serve`: --no-open, --port N. They count only when it comes to the browser. */
  serve: string[]
  /** For the desktop app: crawl files, as absolute paths, and Electron's switches. */
  desktop: string[]
}

/** @param folder the one that relative crawl files are meant from */
export function sortArguments(argv: readonly string[], folder: string): LaunchArguments {
  const sorted: LaunchArguments = { browser: false, serve: [], desktop: [] }
  for (let index = 0; index < argv.length; index++) {
    const arg = argv[index]!
    if (arg === '--browser') sorted.browser = true
    else if (arg === '--no-open' || arg.startsWith('--port=')) sorted.serve.push(arg)
    else if (arg === '--port') sorted.serve.push(...argv.slice(index, ++index + 1))
    else sorted.desktop.push(arg.endsWith('.sandpiper') ? resolve(folder, arg) : arg)
  }
  return sorted
}
