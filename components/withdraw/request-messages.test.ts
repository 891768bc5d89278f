import { expect, test } from 'vitest'
import english from '#lib/i18n/messages/en.json' with { type: 'json' }
import { UNCLEAR } from '#lib/browser/withdrawal-attempt.ts'
import { REQUEST_MESSAGES } from './request-messages.ts'

const NOTHING_SENT = ['withdraw.failed.nothingSent', 'withdraw.failed.tooMany', 'withdraw.failed.twin']

/** After these codes the withdrawal may have been recorded, so no message may say that nothing was sent. */
test.each([...UNCLEAR])('after %s the message asks the user to check, and never says that nothing was sent', (code) => {
  const { message } = REQUEST_MESSAGES[code]
  expect(NOTHING_SENT).not.toContain(message)
  expect(english[message]).toMatch(/Press the button again .*never sent twice/)
})

test('after every other code the message says that this request was not sent', () => {
  const others = Object.entries(REQUEST_MESSAGES).filter(([code]) => !(UNCLEAR as ReadonlySet<string>).has(code))
  for (const [, { message }] of others) expect(NOTHING_SENT).toContain(message)
})

test.each([
  ['outcome_unknown', 'withdraw.failed.twin'],
  ['rate_limited', 'withdraw.failed.tooMany'],
  ['invalid_request', 'withdraw.failed.nothingSent'],
  ['insufficient_balance', 'withdraw.failed.nothingSent'],
] as const)('after %s the message is %s', (code, message) => {
  expect(REQUEST_MESSAGES[code].message).toBe(message)
})
