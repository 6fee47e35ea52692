import type { CommandResult } from '../../shared/command-result.ts'
import { type EventBatch, eventBatch } from '../../shared/contract.ts'
import type { Transport } from '../../shared/transport.ts'

/** The loopback host as a carrier. The token comes in the address's fragment, which no server ever sees, and outlives a reload. */

const TOKEN_KEY = 'sandpiper-token'
const RETRY_MS = 1_000

export function httpTransport(): Transport {
  const token = takeToken()
  const headers = { 'x-sandpiper-token': token }
  return {
    invoke: (name, input) => invoke(name, input, headers),
    subscribe: (listener) => {
      const controller = new AbortController()
      void listen(headers, listener, controller.signal)
      return () => controller.abort()
    },
    onWindowCommand: () => () => {},
  }
}

function takeToken(): string {
  const given = location.hash.slice(1)
  if (given !== '') {
    sessionStorage.setItem(TOKEN_KEY, given)
    history.replaceState(null, '', location.pathname)
  }
  return sessionStorage.getItem(TOKEN_KEY) ?? ''
}

const UNREACHABLE: CommandResult<never> = {
  ok: false,
  error: {
    code: 'unreachable',
    message: 'Sandpiper does not answer. Start it again and open the address that it prints.',
  },
}

async function invoke(name: string, input: unknown, headers: HeadersInit): Promise<CommandResult<unknown>> {
  return post(`/command/${encodeURIComponent(name)}`, JSON.stringify(input), {
    ...headers,
    'content-type': 'application/json',
  })
}

/** Sends a crawl file to the host. */
export function postFile(file: File): Promise<CommandResult<{ id: string }>> {
  const token = sessionStorage.getItem(TOKEN_KEY) ?? ''
  return post(`/import/${encodeURIComponent(file.name)}`, file, {
    'x-sandpiper-token': token,
    'content-type': 'application/vnd.sandpiper',
  }) as Promise<CommandResult<{ id: string }>>
}

async function post(path: string, body: BodyInit, headers: HeadersInit): Promise<CommandResult<unknown>> {
  try {
    const response = await fetch(path, { method: 'POST', headers, body })
    return response.headers.get('content-type') === 'application/json' ? await response.json() : UNREACHABLE
  } catch {
    return UNREACHABLE
  }
}

/** Comes back after a break: the first batch of a new stream holds everything. */
async function listen(headers: HeadersInit, listener: (batch: EventBatch) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const response = await fetch('/events', { headers, signal })
      if (response.ok && response.body) await readStream(response.body, listener)
    } catch {
      // The host has gone or the page is leaving: the loop decides.
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

async function readStream(body: ReadableStream<Uint8Array>, listener: (batch: EventBatch) => void): Promise<void> {
  let text = ''
  const decoder = new TextDecoder()
  const reader = body.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true })
    const messages = text.split('\n\n')
    text = messages.pop()!
    for (const message of messages) {
      const data = message.split('\n').find((line) => line.startsWith('data: '))
      if (data !== undefined) listener(eventBatch.parse(JSON.parse(data.slice('data: '.length))))
    }
  }
}
