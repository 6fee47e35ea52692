import { type FrontierState, STATE, TRANSITIONS } from '../../../shared/frontier-state.ts'

/** Forbidden state changes abort the statement; the list is written from the one transition table. */
const allowed = (Object.keys(TRANSITIONS) as FrontierState[])
  .flatMap((from) => TRANSITIONS[from].map((to) => `(OLD.state=${STATE[from]} AND NEW.state=${STATE[to]})`))
  .join(' OR ')

/** The tables are documented in ../README.md: people query them. */
export const initial = `
CREATE TABLE crawl(
  id INTEGER PRIMARY KEY CHECK(id = 1),
  created_at INTEGER NOT NULL,
  app_version TEXT NOT NULL,
  settings TEXT NOT NULL,
  state TEXT NOT NULL,
  end_reason TEXT,
  ended_at INTEGER,
  epoch INTEGER NOT NULL DEFAULT 0,
  clean INTEGER NOT NULL DEFAULT 1
) STRICT;

CREATE TABLE sites(
  id INTEGER PRIMARY KEY,
  origin TEXT NOT NULL UNIQUE,
  next_allowed_at INTEGER NOT NULL DEFAULT 0,
  parked_until INTEGER NOT NULL DEFAULT 0,
  park_reason TEXT NOT NULL DEFAULT '',
  parks INTEGER NOT NULL DEFAULT 0,
  robots_status INTEGER,
  robots_body BLOB NOT NULL DEFAULT x'',
  robots_fetched_at INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE urls(
  id INTEGER PRIMARY KEY,
  url TEXT NOT NULL,
  key TEXT,
  site_id INTEGER REFERENCES sites(id),
  is_page INTEGER NOT NULL,
  found INTEGER NOT NULL,
  depth INTEGER,
  priority INTEGER NOT NULL,
  state INTEGER NOT NULL DEFAULT 0 CHECK(state BETWEEN 0 AND 5),
  reason TEXT,
  detail TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  crashes INTEGER NOT NULL DEFAULT 0,
  epoch INTEGER NOT NULL DEFAULT 0,
  not_before INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX urls_identity ON urls(coalesce(key, url));
CREATE INDEX urls_waiting ON urls(site_id, priority, id) WHERE state = 0;
CREATE INDEX urls_processing ON urls(id) WHERE state = 1;
CREATE INDEX urls_due ON urls(not_before) WHERE state = 3;
CREATE TRIGGER urls_transition BEFORE UPDATE OF state ON urls
WHEN NOT (${allowed})
BEGIN SELECT RAISE(ABORT, 'forbidden state transition'); END;

CREATE TABLE pages(
  url_id INTEGER PRIMARY KEY REFERENCES urls(id),
  attempt INTEGER NOT NULL,
  fetched_at INTEGER NOT NULL,
  status INTEGER,
  content_type TEXT NOT NULL DEFAULT '',
  headers TEXT NOT NULL DEFAULT '',
  response_ms INTEGER,
  wire_bytes INTEGER,
  bytes INTEGER,
  hash TEXT NOT NULL DEFAULT '',
  title TEXT NOT NULL DEFAULT '',
  description TEXT NOT NULL DEFAULT '',
  h1 TEXT NOT NULL DEFAULT '',
  h2 TEXT NOT NULL DEFAULT '',
  canonical TEXT NOT NULL DEFAULT '',
  robots TEXT NOT NULL DEFAULT '',
  lang TEXT NOT NULL DEFAULT '',
  hreflang TEXT NOT NULL DEFAULT '',
  words INTEGER,
  encoding TEXT NOT NULL DEFAULT '',
  notes TEXT NOT NULL DEFAULT '',
  out_count INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE links(
  src_id INTEGER NOT NULL,
  ord INTEGER NOT NULL,
  dst_id INTEGER,
  kind INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY(src_id, ord)
) STRICT, WITHOUT ROWID;

CREATE TABLE attempts(
  url_id INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  status INTEGER,
  PRIMARY KEY(url_id, epoch, started_at)
) STRICT, WITHOUT ROWID;

CREATE TABLE events(
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  url_id INTEGER,
  data TEXT
) STRICT;

CREATE TABLE sitemaps(
  id INTEGER PRIMARY KEY,
  url TEXT NOT NULL UNIQUE,
  found_in TEXT NOT NULL,
  nesting INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'pending' CHECK(state IN ('pending', 'done', 'failed')),
  status INTEGER,
  reason TEXT NOT NULL DEFAULT '',
  type TEXT NOT NULL DEFAULT '',
  entries INTEGER NOT NULL DEFAULT 0,
  warnings TEXT NOT NULL DEFAULT '',
  fetched_at INTEGER
) STRICT;

CREATE TABLE sitemap_entries(
  sitemap_id INTEGER NOT NULL,
  url_id INTEGER NOT NULL,
  PRIMARY KEY(sitemap_id, url_id)
) STRICT, WITHOUT ROWID;
`
