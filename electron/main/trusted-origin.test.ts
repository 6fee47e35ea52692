import { expect, it } from 'vitest'
import { externalAddress, isOwnPage } from './trusted-origin.ts'

it.each([
  ['app://sandpiper/', true],
  ['app://sandpiper/index.html#x', true],
  ['app://sandpiper.evil.test/', false],
  ['app://evil/', false],
  ['app://user@sandpiper/', false],
  ['http://sandpiper/', false],
  ['file:///index.html', false],
  ['about:blank', false],
  ['', false],
])('%s', (url, own) => {
  expect(isOwnPage(url)).toBe(own)
})

it.each([
  ['https://example.org/a b', 'https://example.org/a%20b'],
  ['http://example.org', 'http://example.org/'],
  ['javascript:alert(1)', null],
  ['file:///etc/passwd', null],
  ['app://sandpiper/', null],
  ['nonsense', null],
])('opens %s outside as %s', (url, address) => {
  expect(externalAddress(url)).toBe(address)
})
