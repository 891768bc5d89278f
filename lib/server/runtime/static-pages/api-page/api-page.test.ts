import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../../merchant/openapi/document.ts'
import { MERCHANT_CALLS } from '../../../merchant/openapi/merchant-calls.ts'
import { OUTBOUND_CALLS } from '../../../merchant/openapi/outbound-calls.ts'
import { testConfig, TEST_ENVIRONMENT } from '../../testing/config.ts'
import { staticPages } from '../static-pages.ts'
import { apiPage } from './api-page.ts'
import type { ApiDocument } from './document-view.ts'
import { curlCommand } from './operations.ts'

const URL_OF_CASHIER = 'https://cashier.example'
const { html, scriptHash, styleHash } = apiPage(URL_OF_CASHIER)
const hash = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`
const between = (tag: string): string[] =>
  Array.from(html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs')), ([, text = '']) => text)
const idsOf = (pattern: RegExp): readonly string[] => Array.from(html.matchAll(pattern), ([, id = '']) => id)

test('its one script and one style are those of the policy, and nothing comes from elsewhere', () => {
  expect(between('script').map(hash)).toEqual([scriptHash])
  expect(between('style').map(hash)).toEqual([styleHash])
  expect(html).not.toMatch(/\s(style|on\w+|src)=|<link|@import|url\(/)
  const policy = staticPages(testConfig()).apiPage(null)?.headers['content-security-policy'] ?? ''
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `script-src '${scriptHash}'`,
    `style-src '${styleHash}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
})

test('it has every call and every event, and each link leads to a part of the page', () => {
  const articles = idsOf(/<article class="card" id="(\w+)">/g)
  expect(articles.toSorted()).toEqual([...MERCHANT_CALLS, ...OUTBOUND_CALLS].map(({ id }) => id).toSorted())
  const ids = idsOf(/\sid="([^"]+)"/g)
  expect(ids.length).toBe(new Set(ids).size)
  expect(idsOf(/href="#([^"]+)"/g).filter((target) => !ids.includes(target))).toEqual([])
})

test('it has no secret of the installation, and is small', () => {
  for (const name of ['MERCHANT_API_KEY', 'SESSION_SECRET', 'GATEWAY_API_KEY'] as const)
    expect(html).not.toContain(TEST_ENVIRONMENT[name])
  expect(gzipSync(html).byteLength).toBeLessThan(30_000)
})

test('an address with markup is text', () => {
  expect(apiPage('https://x.example/"><script>alert(1)</script>').html).not.toContain('<script>alert(1)')
})

test('a command has the example of its call, quoted for a shell', () => {
  const { paths } = openApiDocument() as unknown as ApiDocument
  const path = '/api/merchant/withdrawals/{withdrawal_id}/authorization'
  const post = paths[path]?.['post']
  if (post === undefined) throw new Error('no such call')
  expect(curlCommand(URL_OF_CASHIER, 'post', path, post)).toBe(
    `curl -X POST 'https://cashier.example/api/merchant/withdrawals/5c1e7a90-3b52-4d0c-8f0e-6a1d2b3c4d5e/authorization' \\
  -H "Authorization: Bearer $MERCHANT_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"decision":"approve"}'`,
  )
  const odd = { ...post, requestBody: { content: { 'application/json': { schema: {}, example: "it's" } } } }
  expect(curlCommand(URL_OF_CASHIER, 'post', path, odd)).toContain(`-d '"it'\\''s"'`)
})

test('it is made once, and a browser that has it gets 304', () => {
  const pages = staticPages(testConfig())
  const first = pages.apiPage(null)
  expect(first?.status).toBe(200)
  expect(pages.apiPage(null)).toBe(first)
  const again = pages.apiPage(first?.headers['etag'] ?? '')
  expect([again?.status, again?.content]).toEqual([304, ''])
  expect(staticPages(testConfig({ DOCS: 'off' })).apiPage(null)).toBeNull()
})
