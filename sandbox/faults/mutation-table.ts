import { randomUUID } from 'node:crypto'
import type { AuthErrorName } from '../auth/auth-errors.ts'
import type { OperationName } from '../operations/operation-names.ts'
import type { Reply } from '../operations/reply.ts'
import type { WebhookHeaders } from '../webhooks/sign-webhook.ts'
import { changedAt, textAt } from './json-path.ts'

export type Body = Readonly<Record<string, unknown>>

/** How a deliberately faulty gateway differs from the spec. */
export interface Difference {
  readonly skips?: readonly AuthErrorName[]
  readonly normalise?: (body: string) => string
  /** Changes the request body before the operation reads it. */
  readonly body?: (body: Body, operation: OperationName) => Body
  readonly reply?: (reply: Reply, operation: OperationName) => Reply
  readonly event?: (text: string) => string
  readonly timestamp?: (text: string) => string
  /** The bytes that are signed instead of body and timestamp. */
  readonly signed?: (body: Buffer, timestamp: string) => Buffer
  readonly headers?: (headers: WebhookHeaders) => WebhookHeaders
}

const at =
  (path: string, change: (value: unknown) => unknown) =>
  (reply: Reply): Reply => ({ ...reply, body: changedAt(reply.body, path.split('.'), change) })

const only =
  (operation: OperationName, change: (reply: Reply) => Reply) =>
  (reply: Reply, asked: OperationName): Reply =>
    asked === operation && reply.status === 200 ? change(reply) : reply

const withStatus =
  (from: number, to: number) =>
  (reply: Reply): Reply =>
    reply.status === from ? { ...reply, status: to } : reply

const leavingOut =
  (field: string) =>
  (body: Body): Body => {
    const { [field]: _removed, ...rest } = body
    return rest
  }

/** Replaces an invalid field by a valid value, so that the operation accepts it. */
const forgiving =
  (field: string, proper: unknown, isProper: (value: unknown) => boolean) =>
  (body: Body): Body =>
    isProper(body[field]) ? body : { ...body, [field]: proper }

const isText = (value: unknown): value is string => typeof value === 'string'

const inEvent =
  (path: string, change: (value: unknown) => unknown, when: (event: unknown) => boolean = () => true) =>
  (text: string): string => {
    const event: unknown = JSON.parse(text)
    return when(event) ? JSON.stringify(changedAt(event, path.split('.'), change)) : text
  }

const isOnramp = (event: unknown): boolean => textAt(event, 'event') === 'User Onramp'
const isPending = (event: unknown): boolean => textAt(event, 'transaction', 'status') === 'pending'
const isTransfer = (event: unknown): boolean => !isOnramp(event)

const absent = (): undefined => undefined
const otherEnd = (text: unknown): unknown =>
  isText(text) ? text.slice(0, -1) + (text.endsWith('a') ? 'c' : 'a') : text

/** Deliberate faults of the sandbox, named by the error. The conformance suite must find each fault. */
export const MUTATIONS = {
  accepts_a_reused_nonce: { skips: ['nonce_used'] },
  accepts_a_short_nonce: { skips: ['nonce_too_short'] },
  ignores_a_missing_nonce: { skips: ['missing_nonce'] },
  accepts_several_nonces: { skips: ['multiple_nonces'] },
  accepts_an_unknown_key: { skips: ['invalid_api_key'] },
  ignores_a_missing_key: { skips: ['missing_api_key'] },
  ignores_a_missing_signature: { skips: ['missing_signature'] },
  does_not_check_signatures: { skips: ['wrong_signature'] },
  ignores_the_timestamp: { skips: ['timestamp_expired'] },
  signs_white_space_too: { normalise: (body) => body },
  returns_401_for_a_short_nonce: { reply: withStatus(400, 401) },

  lists_currencies_without_network: { reply: only('currencies', at('*.network', absent)) },
  gives_every_currency_one_id: {
    reply: only(
      'currencies',
      at('*.id', () => '84e4d0f7-340d-4687-a01e-7e1cadc36961'),
    ),
  },

  gives_addresses_with_a_wrong_checksum: { reply: only('deposit_address', at('address', otherEnd)) },
  gives_all_users_one_address: { body: forgiving('user_reference', 'everybody', () => false) },
  gives_a_new_address_each_time: {
    body: (body) => (isText(body['user_reference']) ? { ...body, user_reference: randomUUID() } : body),
  },
  names_another_network: {
    reply: only(
      'deposit_address',
      at('network', () => 'Mainnet'),
    ),
  },

  names_the_transaction_of_a_withdrawal: {
    reply: only(
      'withdraw',
      at('transaction_uuid', () => randomUUID()),
    ),
  },
  returns_withdrawal_amounts_as_numbers: { reply: only('withdraw', at('amount', Number)) },
  returns_withdrawals_without_status: { reply: only('withdraw', at('status', absent)) },
  never_requires_approval: {
    reply: only(
      'withdraw',
      at('requires_approval', () => false),
    ),
  },
  withdraws_any_amount: {
    body: forgiving('amount', '1', (value) => isText(value) && /^(?:\d*\.)*0*[1-9]\d*$/.test(value)),
  },
  returns_errors_as_text: {
    reply: (reply, operation) => (operation === 'withdraw' && reply.status >= 400 ? { ...reply, body: 'no' } : reply),
  },

  lists_oldest_first: { reply: at('edges', (edges) => (Array.isArray(edges) ? edges.toReversed() : edges)) },
  counts_the_page_only: {
    reply: only('user_transactions', (reply) => at('total_count', () => edgesOf(reply.body))(reply)),
  },
  reports_no_next_page: { reply: at('page_info.has_next_page', () => false) },
  reports_no_previous_page: { reply: at('page_info.has_previous_page', () => false) },
  always_has_a_next_page: { reply: at('page_info.has_next_page', () => true) },
  ignores_after: { body: leavingOut('after') },
  ignores_before: { body: leavingOut('before') },
  takes_last_for_first: {
    body: (body) => ('last' in body ? { ...leavingOut('last')(body), first: body['last'] } : body),
  },
  gives_a_foreign_end_cursor: { reply: at('page_info.end_cursor', otherEnd) },
  ignores_transaction_types: { body: leavingOut('transaction_types') },
  ignores_time_range: { body: leavingOut('time_range') },
  takes_yesterday_for_today: {
    body: (body) => (body['time_range'] === 'yesterday' ? { ...body, time_range: 'today' } : body),
  },
  takes_last_month_for_this: {
    body: (body) => (body['time_range'] === 'last_month' ? { ...body, time_range: 'this_month' } : body),
  },
  lists_amounts_as_numbers: { reply: at('edges.*.node.amount', Number) },
  rounds_amounts: { reply: at('edges.*.node.amount', (amount) => Number(amount).toFixed(8)) },
  lists_records_without_a_field: { reply: at('edges.*.node.trn_provider_ref', absent) },
  lists_another_user: { reply: at('edges.*.node.user_ref_id', () => 'somebody') },
  lists_unknown_statuses: { reply: at('edges.*.node.status', () => 'SUCCESS') },
  lists_any_user_reference: {
    body: forgiving('user_reference_id', 'anybody', (value) => isText(value) && /^[\w-]+$/.test(value)),
  },

  accepts_off_ramp: { reply: withStatus(501, 200) },
  allows_custom_wallets_always: { reply: withStatus(403, 200) },
  refuses_with_400: { reply: withStatus(422, 400) },
  gives_errors_as_texts: {
    reply: at('errors', (errors) =>
      typeof errors === 'object' && errors !== null
        ? Object.fromEntries(Object.entries(errors).map(([field, messages]) => [field, String(messages)]))
        : errors,
    ),
  },
  does_not_name_the_field: {
    reply: at('errors', (errors) => (errors === undefined ? undefined : { base: ['is invalid'] })),
  },
  accepts_any_country: { body: (body) => ('country' in body ? { ...body, country: 'DE' } : body) },
  accepts_any_redirect_url: {
    body: (body) => ('redirect_url' in body ? { ...body, redirect_url: 'https://a.example' } : body),
  },
  needs_no_redirect_url: { body: (body) => ({ redirect_url: 'https://a.example', ...body }) },
  needs_no_user: {
    body: (body, operation) => (operation === 'payments' ? { user_reference_id: 'nobody', ...body } : body),
  },
  gives_a_correlation_key_of_its_own: {
    reply: only(
      'payments',
      at('correlation_key', () => randomUUID()),
    ),
  },
  sends_an_invalid_expires_at: {
    reply: only(
      'payments',
      at('expires_at', () => 'soon'),
    ),
  },
  sends_an_expires_at_that_is_over: {
    reply: only(
      'payments',
      at('expires_at', () => '2020-01-01T00:00:00Z'),
    ),
  },
  refuses_any_metadata: { body: (body) => ('metadata' in body ? { ...body, metadata: 'text' } : body) },
  gives_no_link: { reply: only('payments', at('link', absent)) },
  gives_no_wallet_link: { reply: only('link_external_wallet', at('link', absent)) },
  repeats_the_first_page_of_all_users: {
    body: (body, operation) => (operation === 'merchant_transactions' ? { ...body, after: undefined } : body),
  },
  gives_a_legacy_link_without_success: { reply: only('onramp_url', at('success', absent)) },

  sends_amounts_as_texts: { event: (text) => text.replaceAll(/"amount":([\d.]+)/g, '"amount":"$1"') },
  sends_amounts_as_floats: { event: (text) => JSON.stringify(JSON.parse(text)) },
  sends_another_id: { event: inEvent('transaction.id', () => randomUUID()) },
  sends_no_merchant_reference: { event: inEvent('merchant_reference', absent, isTransfer) },
  sends_other_statuses: { event: (text) => text.replaceAll('"status":"succeeded"', '"status":"confirmed"') },
  sends_on_ramps_with_a_currency: { event: inEvent('transaction.currency', () => ({ id: randomUUID() }), isOnramp) },
  sends_payments_before_they_are_made: { event: inEvent('transaction.from_amount', () => 150, isPending) },
  sends_on_ramps_without_hash: { event: inEvent('transaction.tx_hash', () => null, isOnramp) },
  omits_the_session_reference: { event: inEvent('session_reference', () => null, isOnramp) },
  omits_the_user: { event: inEvent('user_reference', () => null) },
  sends_every_on_ramp_its_own_uuid: {
    event: (text) =>
      isOnramp(JSON.parse(text))
        ? text.replaceAll(/"(id|transaction_uuid)":"[0-9a-f-]{36}"/g, `"$1":"${randomUUID()}"`)
        : text,
  },
  sends_timestamps_in_milliseconds: { timestamp: (text) => `${text}000` },
  signs_the_body_without_timestamp: { signed: (body) => body },
  signs_the_body_without_white_space: {
    event: (text) => text.replace(':', ': '),
    signed: (body, timestamp) => Buffer.from(body.toString('utf8').replace(/\s/g, '') + timestamp),
  },
  signs_webhooks_url_safe: {
    headers: (headers) => ({
      ...headers,
      'x-signature': headers['x-signature'].replaceAll('+', '-').replaceAll('/', '_'),
    }),
  },
} as const satisfies Readonly<Record<string, Difference>>

function edgesOf(body: unknown): number {
  const counted: unknown[] = []
  changedAt(body, ['edges', '*'], (edge) => counted.push(edge))
  return counted.length
}
