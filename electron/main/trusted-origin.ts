/** The one origin the window's page has; everything else is a stranger. */
export const APP_SCHEME = 'app'
export const APP_ORIGIN = `${APP_SCHEME}://sandpiper`

/** Is this the app's own page? @param url of a frame or a navigation */
export function isOwnPage(url: string): boolean {
  const parsed = URL.parse(url)
  return (
    parsed?.protocol === `${APP_SCHEME}:` && parsed.host === 'sandpiper' && parsed.username === '' && parsed.port === ''
  )
}

/** May the user's browser be asked to open this? A parsed web address, never a string from a crawled page as it is. */
export function externalAddress(url: string): string | null {
  const parsed = URL.parse(url)
  return parsed?.protocol === 'http:' || parsed?.protocol === 'https:' ? parsed.href : null
}
