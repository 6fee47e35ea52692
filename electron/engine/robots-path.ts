/**
 * Paths and path patterns of robots.txt as strings of octets, one character each, made comparable (RFC 9309 §2.2.2):
 * unreserved octets are written plainly, reserved ones as they came, all others percent-encoded in capitals.
 */

export const toOctets = (text: string): string => Buffer.from(text).toString('latin1')

export const fromOctets = (octets: string): string => Buffer.from(octets, 'latin1').toString()

const UNRESERVED = /[A-Za-z0-9._~-]/

export function normalise(octets: string): string {
  if (!/[^A-Za-z0-9._~!$&'()*+,;=:@/?#[\]-]/.test(octets)) return octets
  return octets
    .replace(/[^A-Za-z0-9._~!$&'()*+,;=:@/?#[\]%-]/g, percentEncode)
    .replace(/%[0-9a-fA-F]{2}/g, (encoded) => {
      const octet = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
      return UNRESERVED.test(octet) ? octet : encoded.toUpperCase()
    })
}

/** The reserved octets inside a query encoded too: `?to=https://a` is also `?to=https%3A%2F%2Fa`. */
export function encodeQuery(path: string): string {
  const query = path.indexOf('?') + 1
  return query === 0 ? path : path.slice(0, query) + path.slice(query).replace(/[!'()+,/:;?@[\]#]/g, percentEncode)
}

/** `*` and `$` that stand for themselves (RFC 9309 §2.2.3). */
export const encodeSpecials = (path: string): string => path.replace(/[*$]/g, percentEncode)

const percentEncode = (octet: string): string => `%${octet.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
