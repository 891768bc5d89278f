import { expect, test } from 'vitest'
import type { FailureCode } from '#lib/browser/request-failure.ts'
import { PROBLEM_MESSAGES } from './problem-messages.ts'

test.each([
  ['offline', 'problem.offline.title', true],
  ['gateway_unavailable', 'problem.gateway.title', true],
  ['rate_limited', 'problem.rateLimited.title', true],
  ['session_ended', 'problem.sessionEnded.title', false],
  ['unauthenticated', 'problem.sessionEnded.title', false],
  ['flow_not_allowed', 'problem.flow.title', false],
  ['not_found', 'problem.currencyGone.title', false],
  ['invalid_request', 'problem.invalid.title', false],
  ['internal', 'problem.other.title', true],
] as const)('%s has the title %s, and a retry button: %s', (code, title, retry) => {
  expect(PROBLEM_MESSAGES[code]).toMatchObject({ title, retry })
})

test('title and body of a code belong together', () => {
  const codes = Object.keys(PROBLEM_MESSAGES) as FailureCode[]
  for (const code of codes) {
    const { title, body } = PROBLEM_MESSAGES[code]
    expect(body).toBe(title.replace(/title$/, 'body'))
  }
})
