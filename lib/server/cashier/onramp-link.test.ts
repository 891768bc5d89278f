import { expect, test } from 'vitest'
import { isAllowedLink } from './onramp-link.ts'

const ORIGINS = ['https://pay.example', 'https://*.provider.example', 'http://localhost:4010']

test.each([
  ['https://pay.example/session?id=1', true],
  ['https://pay.example:443/x', true],
  ['https://a.provider.example/', true],
  ['https://a.b.provider.example/', true],
  ['http://localhost:4010/widget', true],
  ['https://provider.example/', false],
  ['https://evilprovider.example/', false],
  ['https://pay.example.evil.example/', false],
  ['http://pay.example/', false],
  ['https://user:password@pay.example/', false],
  ['http://a.provider.example/', false],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['//pay.example/', false],
  ['', false],
])('%s: %s', (link, allowed) => {
  expect(isAllowedLink(link, ORIGINS)).toBe(allowed)
})

test('https: allows any site over https, and no other scheme', () => {
  expect(isAllowedLink('https://anywhere.example/x', ['https:'])).toBe(true)
  expect(isAllowedLink('http://localhost/', ['https:'])).toBe(false)
})
