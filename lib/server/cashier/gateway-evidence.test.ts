import { expect, test } from 'vitest'
import { RejectedWithTransactionError, UnreachableError } from '../gateway/errors.ts'
import { STATUSES } from '../gateway/testing/sample-record.ts'
import { evidenceOf } from './withdrawal-evidence.ts'

const details = { operation: 'withdraw' }

test.each([
  ['TXN_FAILED', 'failed'],
  ['TXN_NEW', 'processing'],
  ['SOMETHING_ELSE', 'other'],
  ['CANCEL_REQUESTED', 'other'],
  [null, null],
] as const)('an error reply that names a transaction with status %s is evidence: %s', (status, expected) => {
  const error = new RejectedWithTransactionError('no', 'uuid', status, details)
  expect(evidenceOf(error, STATUSES)).toEqual({ kind: 'error_reply', transaction_uuid: 'uuid', status: expected })
})

test('an unreachable gateway counts as a refusal; an error of our own proves nothing', () => {
  expect(evidenceOf(new UnreachableError('no', details), STATUSES)).toMatchObject({
    kind: 'refused',
    failure: 'unreachable',
  })
  expect(evidenceOf(new TypeError('ours'), STATUSES)).toEqual({ kind: 'uncertain' })
})
