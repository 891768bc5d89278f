import { expect, test } from 'vitest'
import { dropInternalHeaders, requestIdFor } from './inbound-headers.ts'

test('headers that only our own server may set are dropped, with any value', () => {
  const kept = {
    host: 'cashier.example',
    cookie: 'a=b',
    rsc: '1',
    'next-router-state-tree': '%5B%5D',
    'next-router-prefetch': '1',
    'next-router-segment-prefetch': '/_tree',
    'next-url': '/c/x',
    'x-cashier-session': 's',
    'idempotency-key': 'k',
    'x-signature': 's',
  }
  const dropped = Object.fromEntries(
    [
      'x-middleware-subrequest',
      'x-middleware-rewrite',
      'x-nextjs-data',
      'x-next-resume-state-length',
      'x-invoke-path',
      'x-matched-path',
      'x-now-route-matches',
      'x-vercel-id',
      'x-prerender-revalidate',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
      'forwarded',
      'next-action',
      'next-resume',
      'content-security-policy',
      'content-security-policy-report-only',
      'x-original-url',
      'x-rewrite-url',
      'x-http-method-override',
      'x-cashier-client',
      'x-request-id',
    ].map((name) => [name, 'evil']),
  )
  const headers = { ...kept, ...dropped }
  dropInternalHeaders(headers)
  expect(headers).toEqual(kept)
})

test('a request id is new, unless our own proxy gave a safe one', () => {
  const newId = (): string => 'ours'
  expect(requestIdFor('from-the-outside', 0, newId)).toBe('ours')
  expect(requestIdFor('from-the-proxy', 1, newId)).toBe('from-the-proxy')
  expect(requestIdFor('x"}\n{"level":"fatal', 1, newId)).toBe('ours')
  expect(requestIdFor(undefined, 1, newId)).toBe('ours')
})
