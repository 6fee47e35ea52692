/** The columns of every view, in order: exports use the names, tables the labels. Names are a contract: append only. */

export const VIEWS = ['pages', 'queue', 'links', 'redirects', 'errors', 'images', 'sitemaps'] as const
export type View = (typeof VIEWS)[number]

export interface Column {
  name: string
  type: 'text' | 'number' | 'time'
  label: string
}

const text = (name: string, label: string): Column => ({ name, type: 'text', label })
const number = (name: string, label: string): Column => ({ name, type: 'number', label })
const time = (name: string, label: string): Column => ({ name, type: 'time', label })

export const COLUMNS: Readonly<Record<View, readonly Column[]>> = {
  pages: [
    text('url', 'URL'),
    text('final_url', 'Final URL'),
    number('status', 'Status'),
    text('state', 'State'),
    text('reason', 'Reason'),
    text('content_type', 'Type'),
    text('title', 'Title'),
    text('description', 'Description'),
    text('h1', 'Heading 1'),
    text('canonical', 'Canonical'),
    text('robots', 'Meta robots'),
    text('lang', 'Language'),
    number('depth', 'Depth'),
    number('words', 'Words'),
    number('bytes', 'Size'),
    number('response_ms', 'Response time'),
    number('inlinks', 'Links in'),
    number('outlinks', 'Links out'),
    text('hash', 'Content hash'),
    time('fetched_at', 'Fetched'),
    text('referrer', 'Found on'),
    text('detail', 'Detail'),
    text('h2', 'Heading 2'),
    text('hreflang', 'Other languages'),
    text('encoding', 'Encoding'),
    text('notes', 'Notes'),
  ],
  queue: [
    text('url', 'URL'),
    text('state', 'State'),
    text('reason', 'Reason'),
    text('detail', 'Detail'),
    text('kind', 'Kind'),
    text('found', 'Found by'),
    number('depth', 'Depth'),
    number('attempts', 'Tries'),
    number('status', 'Status'),
    text('content_type', 'Type'),
    number('inlinks', 'Links in'),
    text('referrer', 'Found on'),
  ],
  links: [
    text('source', 'From'),
    text('target', 'To'),
    text('kind', 'Kind'),
    text('rel', 'Rel'),
    text('text', 'Text'),
    text('target_state', 'State of target'),
    number('target_status', 'Status of target'),
  ],
  redirects: [
    text('url', 'URL'),
    number('status', 'Status'),
    text('location', 'Redirects to'),
    text('final_url', 'Final URL'),
    number('final_status', 'Final status'),
    number('hops', 'Hops'),
    number('inlinks', 'Links in'),
    text('reason', 'Reason'),
  ],
  errors: [
    text('url', 'URL'),
    text('kind', 'Kind'),
    number('status', 'Status'),
    text('state', 'State'),
    text('reason', 'Reason'),
    text('detail', 'Detail'),
    text('referrer', 'Linked from'),
    text('link_kind', 'Link kind'),
    text('link_text', 'Link text'),
  ],
  images: [
    text('url', 'URL'),
    number('status', 'Status'),
    text('state', 'State'),
    text('content_type', 'Type'),
    number('bytes', 'Size'),
    text('alt', 'Alternative text'),
    number('inlinks', 'Links in'),
    number('missing_alt', 'Without alternative text'),
    text('referrer', 'Found on'),
  ],
  sitemaps: [
    text('url', 'URL'),
    text('found_in', 'Found in'),
    text('state', 'State'),
    number('status', 'Status'),
    text('reason', 'Reason'),
    text('type', 'Type'),
    number('entries', 'Entries'),
    text('warnings', 'Warnings'),
    time('fetched_at', 'Fetched'),
  ],
}

/** Of the table of URLs, exported as shown. */
export const TABLE_COLUMNS: readonly Column[] = [
  text('url', 'URL'),
  text('state', 'State'),
  text('reason', 'Reason'),
  number('status', 'Status'),
  text('type', 'Type'),
  text('title', 'Title'),
  number('depth', 'Depth'),
  number('words', 'Words'),
  number('bytes', 'Size'),
  number('response_ms', 'Response time'),
  time('fetched_at', 'Fetched'),
  number('attempts', 'Tries'),
  text('detail', 'Detail'),
  text('kind', 'Kind'),
]
