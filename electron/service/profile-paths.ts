import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where Sandpiper keeps a user's crawls when no host says otherwise; SANDPIPER_HOME beats the platform's place. */
export function libraryFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  return join(env.SANDPIPER_HOME ?? dataFolder(env, platform), 'crawls')
}

function dataFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Sandpiper')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Sandpiper')
  return join(env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'sandpiper')
}
