import type { Currency } from '#lib/contract/cashier.ts'
import type { TransactionKind } from '#lib/contract/stream.ts'
import type { EventCurrency, GatewayEvent } from '../gateway/parse-webhook.ts'
import type { LedgerMode } from '../ledger/accounts.ts'
import { applyFact } from '../ledger/apply-fact.ts'
import type { Fact } from '../ledger/facts.ts'
import type { KnownCurrency, Tx, WebhookOutcome } from '../store/port.ts'

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/**
 * The currency that an on-ramp names: by code and network, and by name if several match; listed ones before those that
 * only webhooks brought. Null if none or several match (docs/api.md, "Quarantine reasons").
 */
function resolveCurrency(
  wanted: Extract<EventCurrency, { known: 'by_name' }>,
  currencies: readonly KnownCurrency[],
): KnownCurrency | null {
  const matches = currencies.filter(
    (currency) =>
      same(currency.currency_code, wanted.code) && (wanted.network === null || same(currency.network, wanted.network)),
  )
  const listed = matches.filter((currency) => currency.listed)
  const candidates = listed.length > 0 ? listed : matches
  if (candidates.length === 1) return candidates[0] ?? null
  const { name } = wanted
  const named = name === null ? [] : candidates.filter((currency) => same(currency.name, name))
  return named.length === 1 ? (named[0] ?? null) : null
}

async function currencyOf(tx: Tx, event: GatewayEvent): Promise<Currency | null> {
  if (event.currency.known === 'by_name') return resolveCurrency(event.currency, await tx.currencies.all())
  await tx.currencies.learn(event.currency.currency, tx.now)
  return event.currency.currency
}

function factOf(
  { event: _, merchant_reference: __, currency: ___, ...details }: GatewayEvent,
  currency: Currency,
  options: { readonly now: number; readonly confirmed: boolean },
): Fact {
  return {
    ...details,
    source: 'webhook',
    currency_id: currency.id,
    currency_code: currency.currency_code,
    network: currency.network,
    occurred_at: details.occurred_at ?? new Date(options.now).toISOString(),
    ...(options.confirmed ? {} : { unconfirmed: true }),
  }
}

/** An on-ramp to a custom wallet has no user and is followed all the same; nothing else may lack one. */
const userMissing = (event: GatewayEvent, knownUsers: ReadonlySet<string>): boolean =>
  event.user_reference_id === null ? event.kind !== 'onramp' : !knownUsers.has(event.user_reference_id)

export interface WebhookRules {
  readonly ledgerMode: LedgerMode
  /** `GATEWAY_MERCHANT_REFERENCE`: what the gateway calls this merchant. Null: the list confirms what webhooks say. */
  readonly merchantReference: string | null
}

/** A deposit or payout of another merchant; one gateway key may sign for many. An on-ramp names none. */
export const isOfOtherMerchant = (
  { kind, merchant_reference }: Pick<GatewayEvent, 'merchant_reference'> & { readonly kind: TransactionKind | null },
  { merchantReference }: WebhookRules,
): boolean =>
  merchantReference !== null && (kind === 'deposit' || kind === 'payout') && merchant_reference !== merchantReference

/** Applies one event inside a transaction that has locked its user. `body` is the event as it was received. */
export async function applyWebhook(
  tx: Tx,
  event: GatewayEvent,
  knownUsers: ReadonlySet<string>,
  options: WebhookRules & { readonly body: string },
): Promise<WebhookOutcome> {
  if (isOfOtherMerchant(event, options)) return 'other_merchant'
  if (userMissing(event, knownUsers)) return 'unknown_user'
  const currency = await currencyOf(tx, event)
  if (currency === null) return 'unknown_currency'
  const { ledgerMode, merchantReference, body } = options
  // An on-ramp is confirmed by its session.
  const confirmed = merchantReference !== null || event.kind === 'onramp'
  return applyFact(tx, factOf(event, currency, { now: tx.now, confirmed }), { ledgerMode, evidence: body })
}
