import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPrivateAddress } from './private-address.ts'

const PRIVATE_V4 = [
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.169.254',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.168.0.0',
  '192.168.255.255',
  '198.18.0.0',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
]

const PUBLIC_V4 = [
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
]

/** Every IPv6 address that stands for an IPv4 one. */
const carriersOf = (ip: string): string[] => {
  const [a, b, c, d] = ip.split('.').map(Number) as [number, number, number, number]
  const hex = (high: number, low: number): string => (high * 256 + low).toString(16)
  return [
    `::ffff:${ip}`,
    `::ffff:${hex(a, b)}:${hex(c, d)}`,
    `0:0:0:0:0:FFFF:${ip}`,
    `::ffff:0:${ip}`,
    `64:ff9b::${ip}`,
    `64:ff9b::${hex(a, b)}:${hex(c, d)}`,
    `2002:${hex(a, b)}:${hex(c, d)}::1`,
  ]
}

describe('isPrivateAddress', () => {
  it.each(PRIVATE_V4)('%s and what carries it is private', (ip) => {
    expect([ip, ...carriersOf(ip), `::${ip}`].filter((each) => !isPrivateAddress(each))).toEqual([])
  })

  it.each(PUBLIC_V4)('%s and what carries it is public', (ip) => {
    expect([ip, ...carriersOf(ip)].filter(isPrivateAddress)).toEqual([])
  })

  it.each([
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fec0::1',
    'fc00::1',
    'fdff:ffff::1',
    'ff02::1',
    '100::1',
    '2001::1',
    '2001:2::1',
    '2001:db8::1',
    '3fff:fff::1',
    '64:ff9b:1::1',
  ])('%s is private', (ip) => {
    expect(isPrivateAddress(ip)).toBe(true)
  })

  it.each(['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450::1', '2003::1', '64:ff9c::7f00:1'])(
    '%s is public',
    (ip) => {
      expect(isPrivateAddress(ip)).toBe(false)
    },
  )

  it.each([
    '',
    'localhost',
    'example.org',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '0x7f.1',
    '010.1.1.1',
    '[::1]',
    '1.1.1.1 ',
  ])('%j is no address and counts as private', (text) => {
    expect(isPrivateAddress(text)).toBe(true)
  })

  it('treats every IPv4 address and what carries it alike, and takes any text', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        expect(new Set([ip, ...carriersOf(ip)].map(isPrivateAddress)).size).toBe(1)
      }),
    )
    fc.assert(fc.property(fc.oneof(fc.ipV6(), fc.string()), (text) => typeof isPrivateAddress(text) === 'boolean'))
  })
})
