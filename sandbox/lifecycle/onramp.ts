import { randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import { currencyById } from '../currencies/find-currency.ts'
import { NETWORKS } from '../currencies/networks.ts'
import { deterministicBytes } from '../currencies/deterministic-ids.ts'
import { cryptoForFiat } from '../money/prices.ts'
import { changeSession, findSession, insertSession } from '../state/sessions.ts'
import type { NewSession, OnrampSession, SessionChange, SessionStatus } from '../state/sessions.ts'
import { emitOnramp } from '../webhooks/emit.ts'
import { confirmDeposit, detectDeposit } from './deposits.ts'
import { HttpError } from '../http/http-error.ts'

/** The states from which each state can be reached. `failed` directly from `pending` is the sandbox's choice. */
const ALLOWED_FROM: Readonly<Record<Exclude<SessionStatus, 'created'>, readonly SessionStatus[]>> = {
  pending: ['created'],
  processing: ['pending'],
  succeeded: ['processing'],
  failed: ['pending', 'processing'],
}

export interface Payment {
  /** Of a legacy session, which has no amount of its own. */
  readonly amount?: string | undefined
  readonly fiatCurrency?: string | undefined
  /** What the user paid, if it is not what the session asked for. */
  readonly paidAmount?: string | undefined
  readonly paidCurrency?: string | undefined
  readonly method?: string | undefined
}

export interface DeliveryDetails {
  /** The crypto amount; computed from the fiat amount by default. */
  readonly toAmount?: string | undefined
  /** The amount of the deposit that follows, if it differs from `toAmount`. */
  readonly depositAmount?: string | undefined
  readonly txHash?: string | undefined
}

function step(
  context: Context,
  session: OnrampSession,
  status: Exclude<SessionStatus, 'created'>,
  change: SessionChange,
): OnrampSession {
  if (!ALLOWED_FROM[status].includes(session.status)) throw new HttpError(409, `the session is ${session.status}`)
  return changeSession(context.database, session, { ...change, status }, context.now())
}

export type SessionOrder = Omit<NewSession, 'uuid' | 'link_token' | 'kind' | 'correlation_key' | 'created_at'>

/** A new session of `POST /v1/user/payments`, which sends an event for each status. */
export function createSession(context: Context, order: SessionOrder): OnrampSession {
  const session = insertSession(context.database, {
    ...order,
    uuid: context.uuid(),
    link_token: randomBytes(18).toString('base64url'),
    kind: 'payment',
    correlation_key: `${order.merchant_id}:${order.session_reference ?? context.uuid()}`,
    created_at: context.now(),
  })
  return context.modes.read().onramp_picks_up === 'on_create' ? pickUp(context, session) : session
}

export function requireSession(context: Context, name: string): OnrampSession {
  const session = findSession(context.database, name)
  if (!session) throw new HttpError(404, `no on-ramp session ${name}`)
  return session
}

/** Time when the page of an unpaid session expires; null for never. */
export function expiryOf(context: Context, { created_at }: Pick<OnrampSession, 'created_at'>): number | null {
  const after = context.modes.read().onramp_expires_after_ms
  return after === null ? null : created_at + after
}

/** Whether the page of an unpaid session has expired. It then accepts no payment. */
export function hasExpired(context: Context, session: OnrampSession): boolean {
  const expiry = expiryOf(context, session)
  const isPaid = session.status === 'processing' || session.status === 'succeeded'
  return expiry !== null && !isPaid && context.now() >= expiry
}

/** The provider starts the session and waits for the user's payment. */
export function pickUp(context: Context, session: OnrampSession): OnrampSession {
  const pending = step(context, session, 'pending', {})
  emitOnramp(context, pending)
  return pending
}

/** The user's payment is accepted. A legacy session has no fixed amount, so the payment sets it. */
export function acceptPayment(context: Context, session: OnrampSession, payment: Payment): OnrampSession {
  const processing = step(context, session, 'processing', {
    payment_method: payment.method ?? 'CREDIT_DEBIT_CARD',
    provider_transaction_id: `onr_${session.uuid.slice(0, 13)}`,
    from_amount: payment.paidAmount ?? session.amount ?? payment.amount ?? '100',
    from_currency: payment.paidCurrency ?? session.fiat_currency ?? payment.fiatCurrency ?? 'USD',
  })
  emitOnramp(context, processing)
  const after = context.modes.read().onramp_delivers_after_ms
  if (after !== null) context.schedule('deliver_onramp', processing.uuid, after)
  return processing
}

/** The crypto reached the wallet. A managed wallet then gets a normal deposit with the same hash. */
export function deliverCrypto(context: Context, session: OnrampSession, delivery: DeliveryDetails): OnrampSession {
  const currency = currencyById(session.currency_id)
  const { encoding } = NETWORKS[currency.network]
  const computed = cryptoForFiat(
    session.from_amount ?? '0',
    session.from_currency ?? 'USD',
    currency.code,
    currency.decimals,
  )
  const succeeded = step(context, session, 'succeeded', {
    to_amount: delivery.toAmount ?? computed,
    tx_hash: delivery.txHash ?? encoding.hash(deterministicBytes('hash', session.uuid)),
  })
  const order = context.modes.read().onramp_deposit
  const amount = delivery.depositAmount ?? succeeded.to_amount ?? computed
  if (order === 'before') deposit(context, succeeded, amount)
  emitOnramp(context, succeeded)
  if (order === 'after') deposit(context, succeeded, amount)
  return succeeded
}

function deposit(context: Context, session: OnrampSession, amount: string): void {
  if (session.custom_wallet_address !== null || session.user_reference === null) return
  const detected = detectDeposit(context, {
    owner: { merchantId: session.merchant_id, userReference: session.user_reference },
    currency: currencyById(session.currency_id),
    amount,
    txHash: session.tx_hash ?? undefined,
  })
  confirmDeposit(context, detected.uuid)
}

export function failOnramp(context: Context, session: OnrampSession): OnrampSession {
  const failed = step(context, session, 'failed', {})
  emitOnramp(context, failed)
  return failed
}

/** Advances a session to a state through all states before it, with an event for each. */
export function advanceSession(
  context: Context,
  name: string,
  status: Exclude<SessionStatus, 'created'>,
  details: Payment & DeliveryDetails,
): OnrampSession {
  let session = requireSession(context, name)
  if (status === 'pending') return pickUp(context, session)
  if (session.status === 'created') session = pickUp(context, session)
  if (status === 'failed') return failOnramp(context, session)
  if (status === 'processing') return acceptPayment(context, session, details)
  if (session.status === 'pending') session = acceptPayment(context, session, details)
  return deliverCrypto(context, session, details)
}
