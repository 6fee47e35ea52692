import type { CommandResult } from '../../shared/command-result.ts'
import { postFile } from './http-transport.ts'

/** A browser has no file dialog that tells a path: the file is sent to the host, which keeps it in its library. */
export async function importCrawlFile(): Promise<CommandResult<{ id: string } | null>> {
  const file = await chooseFile()
  return file === null ? { ok: true, value: null } : postFile(file)
}

function chooseFile(): Promise<File | null> {
  const input = Object.assign(document.createElement('input'), { type: 'file', accept: '.sandpiper' })
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve(input.files?.[0] ?? null))
    input.addEventListener('cancel', () => resolve(null))
    input.click()
  })
}
