/** What the scanner must know of each tag: one number a name, its low byte telling the names apart, the rest traits. */

/** Does not end a word, and counts for no nesting: it is often left open. */
export const INLINE = 1 << 8
/** Counts for no nesting: it is empty, its end tag may be left out, or it cannot contain itself. */
export const FLAT = 1 << 9
/** Its attributes matter. */
export const READ = 1 << 10
/** What it contains is not visible text. */
export const UNSEEN = 1 << 11
/** h1 to h6: one ends where another begins. */
export const HEADING = 1 << 12
/** svg, math. */
export const FOREIGN_ROOT = 1 << 13
/** HTML again, inside svg or math (HTML §13.2.6.5). */
export const INTEGRATION = 1 << 14
/** Ends svg and math where it begins (HTML §13.2.6.5). */
export const BREAKOUT = 1 << 15

const TRAITS: readonly (readonly [number, string])[] = [
  [
    INLINE,
    'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp small span strike strong sub sup time tt u var wbr',
  ],
  [
    FLAT,
    'area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr body button caption colgroup dd dt form h1 h2 h3 h4 h5 h6 head html li optgroup option p select tbody td tfoot th thead tr iframe noembed noframes noscript plaintext script style textarea title xmp',
  ],
  [READ, 'a area audio base frame html iframe image img link meta script source video'],
  [UNSEEN, 'iframe noembed noframes script style template textarea title'],
  [HEADING, 'h1 h2 h3 h4 h5 h6'],
  [FOREIGN_ROOT, 'svg math'],
  [INTEGRATION, 'foreignobject desc title mi mo mn ms mtext annotation-xml'],
  [
    BREAKOUT,
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strike strong sub sup table tt u ul var',
  ],
  [
    0,
    'address article aside details dialog fieldset figcaption figure footer header hgroup main nav object section summary',
  ],
]

const TAGS = new Map<string, number>()
for (const [trait, names] of TRAITS) {
  for (const name of names.split(' ')) TAGS.set(name, (TAGS.get(name) ?? TAGS.size + 1) | trait)
}

/** Zero for a name of no special meaning. */
export const tagOf = (name: string): number => TAGS.get(name) ?? 0

/** How many different low bytes there are. */
export const TAG_COUNT = TAGS.size + 1

export const nameByte = (tag: number): number => tag & 0xff
