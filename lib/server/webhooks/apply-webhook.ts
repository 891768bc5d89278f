import type { TransactionKind } from '#lib/contract/stream.ts'
import type { EventCurrency, GatewayEvent } from '../gateway/parse-webhook.ts'
import type { LedgerMode } from '../ledger/accounts.ts'
import { applyFact } from '../ledger/apply-fact.ts'
import { hasOtherMeaning, isRenamed, underStoredNames } from '../ledger/changed-meaning.ts'
import { compareCurrencies } from '../ledger/compare.ts'
import type { Fact } from '../ledger/facts.ts'
import { isImplausible } from '../ledger/implausible.ts'
import { isOfForeignSession, sessionOf } from '../ledger/onramp-session.ts'
import { isPayout } from '../ledger/payouts/follow-payout.ts'
import { recordShown } from '../ledger/payouts/payout-owners.ts'
import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import type { KnownCurrency, Tx, UnitKeys, WebhookOutcome } from '../store/types.ts'

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

type NamedCurrency = Extract<EventCurrency, { known: 'by_name' }>

/** True if an on-ramp's `to_currency` may mean this currency: the same code, and the same network if it names one. */
const fits = (currency: Pick<KnownCurrency, 'currency_code' | 'network'>, wanted: NamedCurrency): boolean =>
  same(currency.currency_code, wanted.code) && (wanted.network === null || same(currency.network, wanted.network))

/**
 * The currency that an on-ramp names: by code and network, and by name if several match; listed currencies before
 * currencies known only from webhooks. Null if none or several match (docs/explanation/money.md, "Quarantine reasons").
 */
function resolveCurrency(wanted: NamedCurrency, currencies: readonly KnownCurrency[]): KnownCurrency | null {
  const matches = currencies.filter((currency) => fits(currency, wanted))
  const listed = matches.filter((currency) => currency.listed)
  const candidates = listed.length > 0 ? listed : matches
  if (candidates.length === 1) return candidates[0] ?? null
  const { name } = wanted
  const named = name === null ? [] : candidates.filter((currency) => same(currency.name, name))
  return named.length === 1 ? (named[0] ?? null) : null
}

type FactCurrencyIds = Pick<Fact, 'currency_id' | 'currency_code' | 'network'>

const idsOf = ({ currency_id, currency_code, network }: FactCurrencyIds): FactCurrencyIds => ({
  currency_id,
  currency_code,
  network,
})

const idsIn = ({ id, currency_code, network }: Pick<KnownCurrency, 'id' | 'currency_code' | 'network'>) => ({
  currency_id: id,
  currency_code,
  network,
})

/** Whether a stored fact has the currency that the event names. */
const namesCurrencyOf = ({ currency }: GatewayEvent, fact: Fact): boolean =>
  currency.known === 'by_name'
    ? fits(fact, currency)
    : compareCurrencies(fact, { ...currency.currency, currency_id: currency.currency.id }) === 'agree'

/**
 * The currency of an event that names its id, by its stored names. Null if the id now means another currency, whether the
 * list has told that yet or not: nothing of that currency is booked. A repetition keeps the currency that was applied,
 * and a payout the event's names, so that it matches no withdrawal.
 */
function currencyById(
  unit: UnitOfWork,
  event: GatewayEvent,
  named: Pick<KnownCurrency, 'id' | 'currency_code' | 'network'>,
): FactCurrencyIds | null {
  const own = idsIn(named)
  if (!hasOtherMeaning(unit, own)) return underStoredNames(unit, own)
  if (event.kind === 'payout') return own
  const applied = unit
    .facts(event.kind, event.transaction_uuid)
    .find((fact) => fact.source === 'webhook' && fact.status === event.status && namesCurrencyOf(event, fact))
  return applied === undefined ? null : idsOf(applied)
}

/**
 * The currency of an event. An on-ramp of our session has the session's currency if the event names that currency, by
 * its name at the time of the session or its present name. If an earlier event has settled the currency, it stays,
 * whatever the list says now. Any other currency is looked up: an amount of one currency must not be credited in
 * another.
 */
function currencyOf(unit: UnitOfWork, event: GatewayEvent): FactCurrencyIds | null {
  if (event.currency.known === 'by_id') return currencyById(unit, event, event.currency.currency)
  const wanted = event.currency
  const known = unit.currencies()
  const session = sessionOf(unit, event)
  if (session !== null && !hasOtherMeaning(unit, session)) {
    const { currency_id, currency_code, network } = session
    const names = [session, ...known.filter(({ id }) => id === currency_id)]
    if (names.some((name) => fits(name, wanted))) return { currency_id, currency_code, network }
  }
  const settled = unit
    .facts(event.kind, event.transaction_uuid)
    .find((fact) => fact.source === 'webhook' && namesCurrencyOf(event, fact))
  if (settled !== undefined) return idsOf(settled)
  const currency = resolveCurrency(wanted, known)
  return currency && { currency_id: currency.id, currency_code: currency.currency_code, network: currency.network }
}

/**
 * A deposit may have been under way for so long: its record is then from before a `LEDGER_START` that its event is after.
 * The start of a database that was given none is a day before its first event.
 */
const UNDER_WAY_MS = 12 * 3_600_000

/** An event without a date is from when it came, at the latest. */
const dateOf = (unit: UnitOfWork, { occurred_at }: Pick<GatewayEvent, 'occurred_at'>): string =>
  occurred_at ?? new Date(unit.now).toISOString()

/**
 * Whether an event needs the list to confirm it: a transfer that names no merchant, and a deposit of which an event's own
 * date is before `LEDGER_START` or not long after it, until the list has shown its record: that one's time decides. The
 * session of an on-ramp confirms it.
 */
function needsList(
  unit: UnitOfWork,
  { kind, transaction_uuid, occurred_at }: GatewayEvent,
  { merchantReference, ledgerStartMs }: WebhookRules,
): boolean {
  if (kind === 'onramp') return false
  if (merchantReference === null || kind === 'payout') return merchantReference === null
  const facts = unit.facts(kind, transaction_uuid)
  if (facts.some(({ source, misplaced }) => source === 'reconciliation' && misplaced === undefined)) return false
  const dates = [dateOf(unit, { occurred_at }), ...facts.map((fact) => fact.occurred_at)]
  return dates.some((date) => Date.parse(date) < ledgerStartMs + UNDER_WAY_MS)
}

/** The event as a fact of this currency. */
function factIn(
  { currency_id, currency_code, network }: FactCurrencyIds,
  unit: UnitOfWork,
  event: GatewayEvent,
  rules: WebhookRules,
): Fact {
  const { event: _event, merchant_reference, currency: _currency, lacks_user: _lacks_user, ...details } = event
  return {
    ...details,
    currency_id,
    currency_code,
    network,
    source: 'webhook',
    occurred_at: dateOf(unit, event),
    ...(merchant_reference !== null && { merchant_reference }),
    ...(needsList(unit, event, rules) && { unconfirmed: true }),
  }
}

/** The event as a fact; null if its currency is unknown. */
function factOf(unit: UnitOfWork, event: GatewayEvent, rules: WebhookRules): Fact | null {
  const currency = currencyOf(unit, event)
  return currency && factIn(currency, unit, event, rules)
}

/**
 * The facts that the event may state. If its currency is not known yet, another event of its purchase in the same group
 * may name the session, and so the currency.
 */
function possibleFactsOf(
  unit: UnitOfWork,
  event: GatewayEvent,
  group: readonly GatewayEvent[],
  rules: WebhookRules,
): readonly Fact[] {
  const fact = factOf(unit, event, rules)
  if (fact !== null) return [fact]
  const others = group.filter(({ transaction_uuid }) => transaction_uuid === event.transaction_uuid)
  return others.flatMap((other) => {
    const currency = currencyOf(unit, other)
    return currency ? [factIn(currency, unit, event, rules)] : []
  })
}

/** True if another message about the transaction names its user. */
const isUserTold = (unit: UnitOfWork, { kind, transaction_uuid }: GatewayEvent): boolean =>
  unit
    .facts(kind, transaction_uuid)
    .some(({ user_reference_id, erased, misplaced }) => user_reference_id !== null && !erased && !misplaced)

/**
 * True if the event lacks a known user. One without a user agrees with one that names it. An on-ramp to a custom wallet
 * has no user and is followed nevertheless.
 */
const userMissing = (unit: UnitOfWork, event: GatewayEvent): boolean =>
  event.user_reference_id === null
    ? event.kind !== 'onramp' && !isUserTold(unit, event)
    : !unit.isKnown(event.user_reference_id)

export interface WebhookRules {
  readonly ledgerMode: LedgerMode
  /** `LEDGER_START`: what is older is booked nowhere. */
  readonly ledgerStartMs: number
  /** `GATEWAY_MERCHANT_REFERENCE`: the gateway's name for this merchant. Null: the list confirms webhooks. */
  readonly merchantReference: string | null
}

/**
 * True for a deposit or payout of another merchant: one gateway key may sign for many. An on-ramp names no merchant. Of
 * an event that cannot be read (kind null), only a name tells whose it is.
 */
export const isOfOtherMerchant = (
  { kind, merchant_reference }: Pick<GatewayEvent, 'merchant_reference'> & { readonly kind: TransactionKind | null },
  { merchantReference }: WebhookRules,
): boolean => {
  if (merchantReference === null || kind === 'onramp') return false
  return merchant_reference === null ? kind !== null : merchant_reference !== merchantReference
}

/** The same for an event that can be applied: the key of an on-ramp may name its merchant. */
const isForeign = (unit: UnitOfWork, event: GatewayEvent, rules: WebhookRules): boolean =>
  isOfOtherMerchant(event, rules) || (event.kind === 'onramp' && isOfForeignSession(unit, event))

/** The keys to load for these events. */
function keysOf(events: readonly GatewayEvent[], users: readonly string[]): UnitKeys {
  const onramps = events.filter(({ kind }) => kind === 'onramp')
  return {
    users: [...users, ...events.flatMap(({ user_reference_id }) => user_reference_id ?? [])],
    transactions: events,
    onrampReferences: onramps.flatMap(({ session_reference }) => session_reference ?? []),
    onrampKeys: onramps.flatMap(({ correlation_key }) => correlation_key ?? []),
    currencies: events.some(({ currency }) => currency.known === 'by_name')
      ? 'all'
      : events.flatMap(({ currency }) => (currency.known === 'by_id' ? [currency.currency.id] : [])),
  }
}

/**
 * Loads a unit of work in which these events can be applied. `users` are locked in addition to the users of the events.
 */
export async function loadForEvents(
  tx: Tx,
  events: readonly GatewayEvent[],
  users: readonly string[],
  rules: WebhookRules,
): Promise<UnitOfWork> {
  const unit = await tx.load(keysOf(events, users))
  if (events.some(({ currency }) => currency.known === 'by_id' && isRenamed(unit, idsIn(currency.currency))))
    unit.load({ currencies: await tx.currencies.all() })
  await tx.loadRelated(
    unit,
    events.flatMap((event) => possibleFactsOf(unit, event, events, rules)),
  )
  return unit
}

/** True if the event's user was erased: the facts are kept without the user. */
const wasErased = (unit: UnitOfWork, { kind, transaction_uuid, status }: GatewayEvent): boolean =>
  unit.facts(kind, transaction_uuid).some((fact) => fact.status === status && fact.erased === true)

/** True if an event of this status was applied before. */
const wasApplied = (unit: UnitOfWork, { kind, transaction_uuid, status }: GatewayEvent): boolean =>
  unit.facts(kind, transaction_uuid).some((fact) => fact.status === status && fact.source === 'webhook')

export interface ApplyWebhookOptions extends WebhookRules {
  /** The event as received. */
  readonly body: string
  /** A person has asked for it: an implausible purchase is applied, too. */
  readonly evenIfImplausible?: boolean
}

/** Applies one of the events for which the unit was loaded. */
export function applyWebhook(unit: UnitOfWork, event: GatewayEvent, options: ApplyWebhookOptions): WebhookOutcome {
  if (isForeign(unit, event, options)) return 'other_merchant'
  if (userMissing(unit, event)) {
    if (wasErased(unit, event)) return 'seen'
    if (event.lacks_user) return 'unreadable'
    return wasApplied(unit, event) ? 'conflict' : 'unknown_user'
  }
  const fact = factOf(unit, event, options)
  if (fact === null) return 'unknown_currency'
  if (options.evenIfImplausible !== true && isImplausible(unit, fact)) return 'implausible'
  if (event.currency.known === 'by_id') unit.learnCurrency(event.currency.currency)
  return applyFact(unit, fact, { ...options, evidence: options.body })
}

/**
 * Applies an event with a stale timestamp, if it repeats an applied one: it is a duplicate or in conflict whatever its
 * age, and what it tells in addition is kept.
 */
export function applyStale(unit: UnitOfWork, event: GatewayEvent, options: ApplyWebhookOptions): WebhookOutcome {
  if (isForeign(unit, event, options)) return 'other_merchant'
  if (wasApplied(unit, event)) return applyWebhook(unit, event, options)
  showPayout(unit, event, options)
  return 'stale'
}

/** Keeps the payout of an event that is not applied: it may be that of a withdrawal whose outcome is unknown. */
export function showPayout(unit: UnitOfWork, event: GatewayEvent, options: ApplyWebhookOptions): void {
  const fact = factOf(unit, event, options)
  if (fact !== null && isPayout(fact)) recordShown(unit, fact, { ...options, evidence: options.body })
}
