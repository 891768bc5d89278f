/**
 * Scores the headers by the published rules of the HTTP Observatory (docs/internal/security-checklist.md, "Header
 * score").
 */
import { describe, expect, test } from 'vitest'
import { testConfig } from '../testing/config.ts'
import { documentPolicy, fixedHeaders, pagePolicy, type ResponseKind } from './response-headers.ts'

const config = testConfig()

interface Answer {
  readonly headers: ReadonlyMap<string, string>
  readonly policy: ReadonlyMap<string, readonly string[]>
}

const parsed = (policy: string): Answer['policy'] =>
  new Map(policy.split('; ').map((directive) => [directive.split(' ')[0] ?? '', directive.split(' ').slice(1)]))

/** Points for the policy: the rules check `script-src`, `object-src`, `style-src` and their fallbacks. */
function policyPoints(policy: Answer['policy']): number {
  const sources = (name: string): readonly string[] => policy.get(name) ?? policy.get('default-src') ?? ['*']
  const withNonce = sources('script-src').some((source) => /^'(?:nonce|sha256)-/.test(source))
  const broad = (name: string) => sources(name).some((source) => ['*', 'https:', 'http:', 'data:'].includes(source))
  if (broad('script-src') || broad('object-src')) return -20
  if (sources('script-src').includes("'unsafe-inline'") && !withNonce) return -20
  if ([...policy.values()].flat().includes("'unsafe-eval'")) return -10
  if (sources('style-src').includes("'unsafe-inline'")) return 0
  return policy.get('default-src')?.join() === "'none'" ? 10 : 5
}

const RULES: Readonly<Record<string, (answer: Answer) => number>> = {
  policy: ({ policy }) => policyPoints(policy),
  'framing by the policy': ({ policy }) => (policy.has('frame-ancestors') ? 5 : -20),
  'private referrer policy': ({ headers }) =>
    ['no-referrer', 'same-origin'].includes(headers.get('referrer-policy') ?? '') ? 5 : -5,
  'resources of the same origin': ({ headers }) =>
    headers.get('cross-origin-resource-policy') === 'same-origin' ? 10 : 0,
  'transport security of six months': ({ headers }) =>
    Number(/max-age=(\d+)/.exec(headers.get('strict-transport-security') ?? '')?.[1] ?? 0) >= 15_768_000 ? 0 : -20,
  'no sniffing': ({ headers }) => (headers.get('x-content-type-options') === 'nosniff' ? 0 : -5),
  'nothing shared across origins': ({ headers }) => (headers.has('access-control-allow-origin') ? -50 : 0),
}

const answerOf = (kind: ResponseKind, policy: string | null): Answer => {
  const headers = new Map(fixedHeaders(config, kind))
  return { headers, policy: parsed(policy ?? headers.get('content-security-policy') ?? '') }
}

const PAGES: readonly (readonly [string, Answer])[] = [
  ['a page of the cashier', answerOf('page', pagePolicy(config, 'abc', false, '/c/x/deposit'))],
  ['the return page', answerOf('page', pagePolicy(config, 'abc', false, '/onramp/return'))],
  ['the launch page', answerOf('document', documentPolicy(config, { scripts: ['sha256-x'], styles: ['sha256-y'] }))],
  [
    'the embed page',
    answerOf('document', documentPolicy(config, { scripts: ['sha256-x'], styles: ['sha256-y'], posts: 'fetch' })),
  ],
  ['an answer of the API', answerOf('api', null)],
]

describe.each(PAGES)('%s', (_name, answer) => {
  test('scores 130', () => {
    const points = Object.fromEntries(Object.entries(RULES).map(([rule, score]) => [rule, score(answer)]))
    expect(points).toEqual({
      policy: 10,
      'framing by the policy': 5,
      'private referrer policy': 5,
      'resources of the same origin': 10,
      'transport security of six months': 0,
      'no sniffing': 0,
      'nothing shared across origins': 0,
    })
  })
})

test('the rules find a weak answer', () => {
  const weak: Answer = {
    headers: new Map([['access-control-allow-origin', '*']]),
    policy: parsed("default-src 'self'; script-src 'self' 'unsafe-inline'"),
  }
  expect(Object.values(RULES).reduce((sum, rule) => sum + rule(weak), 100)).toBeLessThan(0)
})
