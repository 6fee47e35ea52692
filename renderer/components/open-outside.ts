import type { App } from '../state/app-context.tsx'

/** Opens a crawled URL in the user's browser. It is hostile: only http and https, and the new page knows nothing of ours. */
export async function openOutside({ facts, invoke, store }: App, address: string): Promise<void> {
  const url = URL.parse(address)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return
  if (facts.host === 'desktop') store.getState().tell(await invoke('url.openOutside', { url: url.href }))
  else window.open(url.href, '_blank', 'noopener,noreferrer')
}
