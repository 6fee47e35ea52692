/**
 * What kind of reference a link is. The numbers are stored; append only.
 * Page kinds lead to URLs that are fetched and parsed; resource kinds to URLs that are fetched once and not parsed.
 */
export const LINK_KINDS = [
  'a',
  'area',
  'iframe',
  'frame',
  'canonical',
  'next',
  'prev',
  'alternate',
  'refresh',
  'img',
  'srcset',
  'source',
  'script',
  'stylesheet',
  'redirect',
] as const
export type LinkKind = (typeof LINK_KINDS)[number]

export const linkKindNumber: Readonly<Record<LinkKind, number>> = Object.fromEntries(
  LINK_KINDS.map((kind, number) => [kind, number]),
) as Record<LinkKind, number>

const RESOURCE_KINDS: ReadonlySet<LinkKind> = new Set(['img', 'srcset', 'source', 'script', 'stylesheet'])

/** By number: does this kind of link lead to a resource rather than a page? */
export const leadsToResource: readonly boolean[] = LINK_KINDS.map((kind) => RESOURCE_KINDS.has(kind))

/** Flags of a link, or-ed together and stored. */
export const LINK_FLAG = { nofollow: 1, ugc: 2, sponsored: 4 } as const
