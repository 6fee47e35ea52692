const TAIL_CHARS = 24

/** A URL cut in the middle where there is no room, whole on hover. */
export function UrlText({ url }: { url: string }) {
  const cut = Math.max(0, url.length - TAIL_CHARS)
  return (
    <span className="url" title={url}>
      <span className="url-head">{url.slice(0, cut)}</span>
      <span className="url-tail">{url.slice(cut)}</span>
    </span>
  )
}
