import type { Context } from '../context.ts'
import { knownCurrency } from '../currencies/find-currency.ts'
import { NETWORKS } from '../currencies/networks.ts'
import { seedFrom } from '../currencies/stable-ids.ts'
import { bought } from '../money/prices.ts'
import { changeSession, findSession } from '../state/sessions.ts'
import type { OnrampSession, SessionChange, SessionStatus } from '../state/sessions.ts'
import { emitOnramp } from '../webhooks/emit.ts'
import { confirmDeposit, detectDeposit } from './deposits.ts'
import { Refusal } from './refusal.ts'

/** From which states a session may come to each. Failed straight from pending is the sandbox's choice. */
const FROM: Readonly<Record<Exclude<SessionStatus, 'created'>, readonly SessionStatus[]>> = {
  pending: ['created'],
  processing: ['pending'],
  succeeded: ['processing'],
  failed: ['pending', 'processing'],
}

export interface Payment {
  readonly amount?: string | undefined
  readonly fiatCurrency?: string | undefined
  readonly method?: string | undefined
}

export interface Delivery {
  /** Crypto that arrived; computed from the fiat amount when left out. */
  readonly toAmount?: string | undefined
  /** Amount of the deposit that follows, when it is to differ. */
  readonly depositAmount?: string | undefined
  readonly txHash?: string | undefined
}

function step(
  context: Context,
  session: OnrampSession,
  status: Exclude<SessionStatus, 'created'>,
  change: SessionChange,
): OnrampSession {
  if (!FROM[status].includes(session.status)) throw new Refusal(409, `the session is ${session.status}`)
  return changeSession(context.database, session, { ...change, status }, context.now())
}

export function sessionNamed(context: Context, name: string): OnrampSession {
  const session = findSession(context.database, name)
  if (!session) throw new Refusal(404, `no on-ramp session ${name}`)
  return session
}

/** The provider picks the session up and waits for the user to pay. */
export function pickUp(context: Context, session: OnrampSession): OnrampSession {
  const pending = step(context, session, 'pending', {})
  emitOnramp(context, pending)
  return pending
}

/** The user's payment is accepted. A legacy session has no locked amount, so the payment names it. */
export function acceptPayment(context: Context, session: OnrampSession, payment: Payment): OnrampSession {
  const processing = step(context, session, 'processing', {
    payment_method: payment.method ?? 'CREDIT_DEBIT_CARD',
    provider_transaction_id: `onr_${session.uuid.slice(0, 13)}`,
    from_amount: session.amount ?? payment.amount ?? '100',
    from_currency: session.fiat_currency ?? payment.fiatCurrency ?? 'USD',
  })
  emitOnramp(context, processing)
  const after = context.modes.read().onramp_delivers_after_ms
  if (after !== null) context.setAlarm('deliver_onramp', processing.uuid, after)
  return processing
}

/** The crypto reached the wallet. A managed wallet then sees a standard deposit with the same hash. */
export function deliver(context: Context, session: OnrampSession, delivery: Delivery): OnrampSession {
  const currency = knownCurrency(session.currency_id)
  const { encoding } = NETWORKS[currency.network]
  const computed = bought(session.from_amount ?? '0', session.from_currency ?? 'USD', currency.code, currency.decimals)
  const succeeded = step(context, session, 'succeeded', {
    to_amount: delivery.toAmount ?? computed,
    tx_hash: delivery.txHash ?? encoding.hash(seedFrom('hash', session.uuid)),
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
    currency: knownCurrency(session.currency_id),
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

/** Brings a session to a state through every state before it, one event each. */
export function bringTo(
  context: Context,
  name: string,
  status: Exclude<SessionStatus, 'created'>,
  details: Payment & Delivery,
): OnrampSession {
  let session = sessionNamed(context, name)
  if (status === 'pending') return pickUp(context, session)
  if (session.status === 'created') session = pickUp(context, session)
  if (status === 'failed') return failOnramp(context, session)
  if (status === 'processing') return acceptPayment(context, session, details)
  if (session.status === 'pending') session = acceptPayment(context, session, details)
  return deliver(context, session, details)
}
