/** The messages between the engine and its parse workers. Bodies are transferred, results come back as plain data. */

export interface ParseJob {
  id: number
  /** `page`: facts and links if the body is HTML. `resource`: size and hash only. `sitemap`: the addresses it lists. */
  want: 'page' | 'resource' | 'sitemap'
  /** The address the body was read from, without fragment. */
  url: string
  status: number
  /** Raw header values; empty when absent. */
  contentType: string
  contentEncoding: string
  /** The body as it came over the wire, still content-encoded. Transferred to the worker. */
  body: ArrayBuffer
  /** Cap on the decoded body, in bytes. */
  maxBytes: number
}

/** A page's links, one entry per reference in document order, as parallel columns: one array clones far faster than objects. */
export interface LinkColumns {
  /** Absolute canonical URLs without fragment; empty where the address could not be resolved (its text is then the raw address). */
  urls: string[]
  /** Numbers of LINK_KINDS. */
  kinds: Uint8Array
  /** LINK_FLAG bits. */
  flags: Uint8Array
  /** Anchor text, alt text, or hreflang of an alternate; collapsed white space, at most 200 characters. */
  texts: string[]
}

export interface PageFacts {
  title: string
  description: string
  h1: string
  h2: string
  /** As written in the page, resolved; empty if absent. */
  canonical: string
  /** Content of meta robots and meta sandpiper, joined by ", ". */
  robots: string
  lang: string
  /** JSON array of [hreflang, url]; empty string if there is none. */
  hreflang: string
  words: number
  /** The encoding the body was decoded with, a WHATWG name. */
  encoding: string
  /** `links_truncated`, `nesting_truncated`; empty when the whole page was read. */
  notes: string[]
  links: LinkColumns
}

export interface SitemapFile {
  type: 'urlset' | 'index' | 'text' | 'feed' | 'none'
  /** Absolute addresses in file order. */
  entries: string[]
  /** Human-readable remarks: "50,001 entries, the limit is 50,000", "not a sitemap: text/html". */
  warnings: string[]
}

/** Why a complete-looking body could not be used. `truncated` is worth another try, the others are not. */
export type BodyFault = 'truncated' | 'body_too_large' | 'bad_encoding' | 'unsupported_encoding' | 'parse_failed'

export interface ParseResult {
  id: number
  fault: BodyFault | null
  faultDetail: string
  /** Decoded size in bytes. */
  bytes: number
  /** First 16 bytes of the SHA-256 of the decoded body, in hex. */
  hash: string
  /** Media type essence after sniffing where the header was absent or useless: "text/html". */
  mediaType: string
  page: PageFacts | null
  sitemap: SitemapFile | null
}
