import { expect, test } from 'vitest'
import { RejectedWithTransactionError, type GatewayError } from './errors.ts'
import { createStatusReader } from './status-words.ts'
import { STATUSES } from './testing/sample-record.ts'
import { classifyFailure, isErrorBody, isTransient, type FailedReply } from './classify-failure.ts'

const UUID = '9b2f0f0e-6d0b-4e2c-8c6f-0a1b2c3d4e5f'
const error = { error: true, message: 'no', request_id: 'req-1' }
const validation = { error: 'invalid', errors: { amount: ['is too small'] } }

const failed = (status: number, body: unknown, more: Partial<FailedReply> = {}): GatewayError =>
  classifyFailure({ operation: 'test', movesMoney: false, status, body, now: 0, statuses: STATUSES, ...more })

interface Case {
  readonly status: number
  readonly body: unknown
  readonly kind: string
  /** The result for a withdrawal, if it differs. */
  readonly withdraw?: string
}

const CASES: readonly Case[] = [
  { status: 401, body: { message: 'missing signature' }, kind: 'authentication' },
  { status: 401, body: { message: 'timestamp expired' }, kind: 'authentication' },
  { status: 401, body: undefined, kind: 'authentication', withdraw: 'unreadable' },
  { status: 400, body: { message: 'nonce too short' }, kind: 'authentication' },
  { status: 400, body: { message: 'invalid nonce' }, kind: 'authentication' },
  { status: 400, body: { message: 'bad request' }, kind: 'rejected' },
  { status: 400, body: validation, kind: 'validation' },
  { status: 422, body: validation, kind: 'validation' },
  { status: 422, body: error, kind: 'validation' },
  { status: 403, body: error, kind: 'forbidden' },
  { status: 404, body: { message: 'nothing here' }, kind: 'rejected' },
  { status: 409, body: error, kind: 'rejected' },
  { status: 429, body: { message: 'slow down' }, kind: 'rate_limited' },
  { status: 429, body: undefined, kind: 'rate_limited', withdraw: 'unreadable' },
  { status: 501, body: error, kind: 'not_available', withdraw: 'outcome_unknown' },
  { status: 501, body: undefined, kind: 'outcome_unknown' },
  { status: 400, body: undefined, kind: 'unreadable' },
  { status: 400, body: {}, kind: 'unreadable' },
  { status: 403, body: { error: true, message: null, request_id: 'r' }, kind: 'unreadable' },
  { status: 422, body: { error: 'invalid', errors: { amount: 'is too small' } }, kind: 'unreadable' },
  { status: 422, body: { error: 'invalid' }, kind: 'unreadable' },
  { status: 408, body: error, kind: 'outcome_unknown' },
  { status: 302, body: error, kind: 'outcome_unknown' },
  { status: 500, body: error, kind: 'outcome_unknown' },
  { status: 503, body: undefined, kind: 'outcome_unknown' },
  { status: 200, body: error, kind: 'unreadable' },
  { status: 200, body: { ...error, transaction_uuid: UUID }, kind: 'rejected_with_transaction' },
  { status: 302, body: { ...error, transaction_uuid: UUID }, kind: 'rejected_with_transaction' },
  { status: 401, body: { ...error, transaction_uuid: UUID }, kind: 'rejected_with_transaction' },
  { status: 408, body: { ...error, transaction_uuid: UUID }, kind: 'rejected_with_transaction' },
  { status: 422, body: { ...validation, transaction_uuid: UUID }, kind: 'rejected_with_transaction' },
  { status: 500, body: { ...error, transaction_uuid: UUID, status: { odd: true } }, kind: 'rejected_with_transaction' },
  { status: 501, body: { transaction_uuid: UUID }, kind: 'rejected_with_transaction' },
  { status: 422, body: { ...error, transaction_uuid: null, status: null }, kind: 'validation' },
  { status: 409, body: { ...error, transaction_uuid: '' }, kind: 'rejected' },
  { status: 400, body: { ...error, status: 'TXN_NEW' }, kind: 'rejected', withdraw: 'outcome_unknown' },
  { status: 422, body: { ...validation, status: 'Processing' }, kind: 'validation', withdraw: 'outcome_unknown' },
  { status: 403, body: { ...error, status: ' success ' }, kind: 'forbidden', withdraw: 'outcome_unknown' },
  { status: 400, body: { ...error, status: 'TXN_FAILED' }, kind: 'rejected' },
  { status: 422, body: { ...error, status: 'Unprocessable Entity' }, kind: 'validation' },
  { status: 409, body: { ...error, status: 'error' }, kind: 'rejected' },
  { status: 409, body: { ...error, transaction_uuid: 'pending' }, kind: 'unreadable' },
  { status: 409, body: { ...error, transaction_uuid: [UUID] }, kind: 'unreadable' },
]

test.each(CASES)('$status with $body is $kind', ({ status, body, kind }) => {
  expect(failed(status, body).kind).toBe(kind)
})

test.each(CASES)(
  'for a withdrawal, $status with $body is $withdraw (else $kind)',
  ({ status, body, kind, withdraw }) => {
    expect(failed(status, body, { movesMoney: true }).kind).toBe(withdraw ?? kind)
  },
)

test('a withdrawal under a status that the installation has learned is no refusal, unless it means a failure', () => {
  const statuses = createStatusReader(
    new Map([
      ['TXN_COMPLETED', 'succeeded'],
      ['ACCEPTED', 'failed'],
    ]),
  )
  const kindOf = (status: string, more: Partial<FailedReply>) =>
    failed(400, { ...error, status }, { movesMoney: true, ...more }).kind
  expect(kindOf('Txn_Completed', { statuses })).toBe('outcome_unknown')
  expect(kindOf('TXN_COMPLETED', {})).toBe('outcome_unknown')
  expect(kindOf('TXN_FAILED', {})).toBe('rejected')
  expect(kindOf('accepted', { statuses })).toBe('rejected')
})

test('an error carries the details of the reply', () => {
  const rejected = failed(500, {
    ...error,
    transaction_uuid: UUID,
    status: 'TXN_FAILED',
  })
  expect(rejected).toBeInstanceOf(RejectedWithTransactionError)
  expect(rejected).toMatchObject({
    transactionUuid: UUID,
    transactionStatus: 'TXN_FAILED',
    requestId: 'req-1',
    status: 500,
  })
  expect(failed(422, validation)).toHaveProperty('fields', { amount: ['is too small'] })
  expect(failed(500, undefined, { requestId: 'from-header' }).requestId).toBe('from-header')
})

test.each([
  ['7', 7],
  ['Thu, 01 Jan 1970 00:01:00 GMT', 60],
  ['Wed, 31 Dec 1969 00:00:00 GMT', 0],
  ['soon', undefined],
  [undefined, undefined],
])('Retry-After %s is %s seconds', (retryAfter, seconds) => {
  expect(failed(429, undefined, { retryAfter })).toHaveProperty('retryAfterS', seconds)
})

test('under a 2xx status only a body that declares an error is an error', () => {
  expect(isErrorBody(error)).toBe(true)
  expect(isErrorBody({ message: 'all well' })).toBe(false)
  expect(isErrorBody([])).toBe(false)
})

test.each([
  [500, true],
  [408, true],
  [302, false],
  [429, false],
  [422, false],
])('after %s a read may succeed a moment later: %s', (status, again) => {
  expect(isTransient(failed(status, error))).toBe(again)
})
