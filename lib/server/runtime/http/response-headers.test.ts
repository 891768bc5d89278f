import { expect, test } from 'vitest'
import { testConfig } from '../testing/config.ts'
import { documentPolicy, fixedHeaders, pagePolicy, permissionsPolicy, type ResponseKind } from './response-headers.ts'

const facts = testConfig()
const directives = (policy: string): Map<string, string> =>
  new Map(policy.split('; ').map((one) => [one.split(' ')[0] ?? '', one.split(' ').slice(1).join(' ')]))

test("a page's scripts need the nonce; the settings decide who may frame it and what it frames", () => {
  const policy = directives(pagePolicy(facts, 'abc', false))
  expect(policy.get('script-src')).toBe("'self' 'nonce-abc' 'strict-dynamic'")
  expect(policy.get('style-src')).toBe("'self' 'nonce-abc'")
  expect(policy.get('frame-ancestors')).toBe("'self' https://shop.example http://127.0.0.1:4020")
  expect(policy.get('frame-src')).toBe("'self' https://*.provider.example https://pay.example")
  expect(policy.get('base-uri')).toBe("'none'")
  expect(policy.get('object-src')).toBe("'none'")
  expect(policy.get('form-action')).toBe("'self'")
  expect(policy.get('connect-src')).toBe("'self'")
  expect(policy.get('img-src')).not.toContain('http:')
})

test('without origins nobody may frame the cashier, and it frames nobody', () => {
  const closed = testConfig({ EMBED_ORIGINS: '', ONRAMP_ORIGINS: '' })
  const policy = directives(pagePolicy(closed, 'abc', false, '/c/x/deposit'))
  expect(policy.get('frame-ancestors')).toBe("'none'")
  expect(policy.get('frame-src')).toBe("'self'")
  expect(directives(documentPolicy(closed, { scripts: [], styles: [] })).get('frame-ancestors')).toBe("'none'")
  // Our own page frames this one after a purchase at top level.
  expect(directives(pagePolicy(closed, 'abc', false, '/onramp/return')).get('frame-ancestors')).toBe("'self'")
})

test('a small document runs only its hashed script', () => {
  const policy = directives(documentPolicy(facts, { scripts: ['sha256-x'], styles: ['sha256-y'] }))
  expect(policy.get('default-src')).toBe("'none'")
  expect(policy.get('script-src')).toBe("'sha256-x'")
  expect(policy.get('style-src')).toBe("'sha256-y'")
  expect(policy.get('form-action')).toBe("'self'")
  expect(policy.get('frame-ancestors')).toContain('https://shop.example')
})

test('camera, microphone and payment are delegated only to the providers; our own page may use the camera', () => {
  const allowed = '(self "https://*.provider.example" "https://pay.example")'
  const policy = permissionsPolicy(facts)
  for (const feature of ['camera', 'microphone', 'payment']) expect(policy).toContain(`${feature}=${allowed}`)
  expect(policy).toContain('geolocation=()')
  const alone = permissionsPolicy(testConfig({ ONRAMP_ORIGINS: '' }))
  expect(alone).toContain('microphone=(), payment=(), camera=(self)')
  expect(permissionsPolicy(testConfig({ ONRAMP_ORIGINS: 'https:' }))).toContain('camera=*')
})

const KINDS: readonly ResponseKind[] = ['page', 'document', 'api', 'script', 'file']

test.each(KINDS)('%s is never sniffed, and requires https if PUBLIC_URL has it', (kind) => {
  const headers = new Map(fixedHeaders(facts, kind))
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=31536000/)
  expect(headers.has('referrer-policy')).toBe(true)
  const local = new Map(fixedHeaders(testConfig({ PUBLIC_URL: 'http://localhost:3000' }), kind))
  expect(local.has('strict-transport-security')).toBe(false)
})

test('any site may load the script, none may load pages and answers of the API', () => {
  const policy = (kind: ResponseKind) => new Map(fixedHeaders(facts, kind)).get('cross-origin-resource-policy')
  expect(KINDS.map(policy)).toEqual(['same-origin', 'same-origin', 'same-origin', 'cross-origin', 'same-origin'])
})
