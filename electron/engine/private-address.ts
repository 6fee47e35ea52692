import { BlockList, isIP } from 'node:net'

/** Addresses that are not on the public internet (IANA special-purpose registries, RFC 6890). */

const IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

const IPV6: readonly (readonly [string, number])[] = [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]

/** Prefixes, in groups of 16 bits, that carry an IPv4 address in the 32 bits behind them. */
const CARRIERS: readonly (readonly number[])[] = [
  /* IPv4-mapped */ [0, 0, 0, 0, 0, 0xffff],
  /* IPv4-translated */ [0, 0, 0, 0, 0xffff, 0],
  /* IPv4-compatible */ [0, 0, 0, 0, 0, 0],
  /* NAT64 */ [0x64, 0xff9b, 0, 0, 0, 0],
  /* 6to4 */ [0x2002],
]

const blocked = new BlockList()
for (const [network, prefix] of IPV4) blocked.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of IPV6) blocked.addSubnet(network, prefix, 'ipv6')

/** @param ip without brackets; whatever is no address counts as private */
export function isPrivateAddress(ip: string): boolean {
  const family = isIP(ip)
  if (family === 0) return true
  if (family === 4) return blocked.check(ip, 'ipv4')
  if (blocked.check(ip, 'ipv6')) return true
  const carried = carriedIpv4(groupsOf(ip))
  return carried !== null && blocked.check(carried, 'ipv4')
}

function carriedIpv4(groups: readonly number[]): string | null {
  const carrier = CARRIERS.find((prefix) => prefix.every((group, n) => groups[n] === group))
  if (carrier === undefined) return null
  const at = carrier.length
  const high = groups[at] ?? 0
  const low = groups[at + 1] ?? 0
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** The eight groups of an IPv6 address; the URL parser knows every notation. */
function groupsOf(ip: string): number[] {
  const literal = new URL(`http://[${ip.split('%')[0]}]/`).hostname.slice(1, -1)
  const [left = '', right] = literal.split('::')
  const numbers = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  if (right === undefined) return numbers(left)
  const head = numbers(left)
  const tail = numbers(right)
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}
