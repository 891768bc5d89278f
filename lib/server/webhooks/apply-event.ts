import type { Currency } from '#lib/contract/cashier.ts'
import { applyFact } from '../ledger/apply-fact.ts'
import type { Fact } from '../ledger/facts.ts'
import type { Tx } from '../store/port.ts'
import type { GatewayEvent } from './parse-event.ts'
import { resolveWords } from './resolve-currency.ts'

export type QuarantineReason =
  'stale' | 'unknown_event' | 'unknown_status' | 'unknown_user' | 'unknown_currency' | 'conflict'

/** What became of an event: `applied`, `seen` before, or why it waits in quarantine. */
export type Outcome = 'applied' | 'seen' | QuarantineReason

async function currencyOf(tx: Tx, event: GatewayEvent): Promise<Currency | null> {
  if (event.currency.known === 'by_words') return resolveWords(event.currency, await tx.currencies.all())
  await tx.currencies.learn(event.currency.currency, tx.now)
  return event.currency.currency
}

const factOf = (event: GatewayEvent, currency: Currency, now: number): Fact => ({
  kind: event.kind,
  transaction_uuid: event.transaction_uuid,
  status: event.status,
  source: 'webhook',
  user_reference_id: event.user_reference_id,
  currency_id: currency.id,
  currency_code: currency.currency_code,
  network: currency.network,
  amount: event.amount,
  amount_usd: event.amount_usd,
  to_address: event.to_address,
  from_address: event.from_address,
  tx_hash: event.tx_hash,
  payment_method: event.payment_method,
  provider_transaction_id: event.provider_transaction_id,
  from_amount: event.from_amount,
  from_currency: event.from_currency,
  correlation_key: event.correlation_key,
  session_reference: event.session_reference,
  occurred_at: event.occurred_at ?? new Date(now).toISOString(),
})

/** An on-ramp to a custom wallet has no user and is followed all the same; nothing else may lack one. */
const userMissing = (event: GatewayEvent, knownUsers: ReadonlySet<string>): boolean =>
  event.user_reference_id === null ? event.kind !== 'onramp' : !knownUsers.has(event.user_reference_id)

/** Takes one event into the books, inside a transaction that has locked its user. `body` is the event as it came. */
export async function applyEvent(
  tx: Tx,
  event: GatewayEvent,
  knownUsers: ReadonlySet<string>,
  options: { readonly books: boolean; readonly body: string },
): Promise<Outcome> {
  if (userMissing(event, knownUsers)) return 'unknown_user'
  const currency = await currencyOf(tx, event)
  if (currency === null) return 'unknown_currency'
  return applyFact(tx, factOf(event, currency, tx.now), { books: options.books, evidence: options.body })
}
