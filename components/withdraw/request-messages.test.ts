import { expect, test } from 'vitest'
import english from '#lib/i18n/messages/en.json' with { type: 'json' }
import { REQUEST_MESSAGES } from './request-messages.ts'

const NOTHING_SENT = ['withdraw.failed.nothingSent', 'withdraw.failed.tooMany', 'withdraw.failed.twin']

/** After these codes the withdrawal may have been recorded, so no message may say that nothing was sent. */
test.each(['offline', 'timeout', 'unreadable', 'internal', 'store_unavailable', 'conflict'] as const)(
  'after %s the message asks the user to check, and never says that nothing was sent',
  (code) => {
    const { message } = REQUEST_MESSAGES[code]
    expect(NOTHING_SENT).not.toContain(message)
    expect(english[message]).toMatch(/Press the button again .*never sent twice/)
  },
)

test.each([
  ['outcome_unknown', 'withdraw.failed.twin'],
  ['rate_limited', 'withdraw.failed.tooMany'],
  ['invalid_request', 'withdraw.failed.nothingSent'],
  ['insufficient_balance', 'withdraw.failed.nothingSent'],
] as const)('after %s the message is %s', (code, message) => {
  expect(REQUEST_MESSAGES[code].message).toBe(message)
})
