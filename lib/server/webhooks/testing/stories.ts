/**
 * Random transfers at the gateway, its messages about them by webhook and list, and the expected result (fast-check).
 */
import fc from 'fast-check'
import { add, ZERO, type Decimal } from '#lib/contract/money.ts'
import type { TransactionKind } from '#lib/contract/stream.ts'
import type { GatewayEvent } from '../../gateway/parse-webhook.ts'
import type { Fact } from '../../ledger/facts.ts'
import type { OnrampRow } from '../../ledger/rows.ts'
import { sampleFact, sampleOnramp } from '../../store/testing/sample-rows.ts'

export const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
export const MERCHANT = 'merchant'
const currencyOf = (code: string) => ({
  id: `currency-${code}`,
  name: code,
  currency_code: code,
  symbol: code,
  network: 'Tron',
})
const USDT = currencyOf('USDT')
const TRX = currencyOf('TRX')
export const CURRENCIES = [USDT, TRX]

/** How far a transaction got, and the content of its messages. */
export interface Transfer {
  readonly kind: TransactionKind
  readonly currency: number
  readonly hash: number | null
  readonly cents: number
  readonly reached: number
  readonly fails: boolean
  /** The amount of a deposit may become exact with its confirmation. */
  readonly early: number
  /** True if the gateway's list shows it; it shows every payout. */
  readonly listed: boolean
  /** For an on-ramp of this cashier's session: found by our reference or by the gateway's key. */
  readonly ours: 'by_reference' | 'by_key' | null
  /** A deposit has the key of the transfer at this index, if that is an on-ramp. */
  readonly keyOf: number
  /** The list also shows the on-ramp as its deposit: with its own id, this progress, and this amount. */
  readonly becomes: { readonly cents: number; readonly reached: number } | null
  /** One bit per message: whether it has the hash, whether the hash begins with `0x`, and whether it has the key. */
  readonly hashIn: number
  readonly prefixIn: number
  readonly keyIn: number
}

const cents = fc.integer({ min: 1, max: 9 })
const messages = fc.nat(63)

export const transfer = fc.record<Transfer>({
  kind: fc.constantFrom('deposit', 'onramp', 'payout'),
  currency: fc.nat(1),
  hash: fc.option(fc.nat(2), { nil: null }),
  cents,
  reached: fc.nat(2),
  fails: fc.boolean(),
  early: cents,
  listed: fc.boolean(),
  ours: fc.constantFrom('by_reference', 'by_key', null),
  keyOf: fc.nat(4),
  becomes: fc.option(fc.record({ cents, reached: fc.nat(1) }), { nil: null }),
  hashIn: messages,
  prefixIn: messages,
  keyIn: messages,
})

const STAGES = {
  deposit: ['processing', 'succeeded'],
  payout: ['processing', 'succeeded'],
  onramp: ['pending', 'processing', 'succeeded'],
} as const

/** In a transfer's bits, messages of the list come after webhooks. */
const LIST_BIT = 3

export const amountOf = (value: number): Decimal => `0.00000000000000000${value}` as Decimal
const sessionIdOf = (uuid: string): string => `session-${uuid}`
const keyOfPurchase = (uuid: string): string => `key-${uuid}`
export const currencyAt = (place: number) => (place === 0 ? USDT : TRX)

/** One transaction, and all messages about it. */
export interface TransferStory {
  readonly kind: TransactionKind
  readonly uuid: string
  readonly transfer: Transfer
  readonly amount: Decimal
  readonly events: readonly GatewayEvent[]
  readonly facts: readonly Fact[]
}

function statesOf({ kind, reached, fails }: Pick<Transfer, 'kind' | 'reached' | 'fails'>): readonly Fact['status'][] {
  const stages = STAGES[kind].slice(0, reached + 1)
  return kind === 'onramp' && fails ? stages.map((stage) => (stage === 'succeeded' ? 'failed' : stage)) : stages
}

const says = (bits: number, bit: number): boolean => ((bits >> bit) & 1) === 1

/** The hash and key in the message of this bit, or null. */
function namesIn(one: Transfer, key: string | null, bit: number): Pick<Fact, 'tx_hash' | 'correlation_key'> {
  const digits = one.hash === null ? null : `c0ffee${one.hash}`
  const spelled = digits !== null && says(one.prefixIn, bit) ? `0x${digits.toUpperCase()}` : digits
  return {
    tx_hash: says(one.hashIn, bit) ? spelled : null,
    correlation_key: says(one.keyIn, bit) ? key : null,
  }
}

/** The stories of all transfers; `uuids` are their ids. */
export function storiesOf(
  user: string,
  transfers: readonly Transfer[],
  uuids: readonly string[],
): readonly TransferStory[] {
  return transfers.flatMap((one, index): TransferStory[] => {
    const uuid = uuids[index] ?? ''
    const { id: currency_id, currency_code, network } = currencyAt(one.currency)
    const onramp = one.kind === 'onramp'
    const purchase = onramp ? uuid : transfers[one.keyOf]?.kind === 'onramp' ? (uuids[one.keyOf] ?? '') : null
    const key = purchase === null || one.kind === 'payout' ? null : keyOfPurchase(purchase)

    const owner = { transaction_uuid: uuid, user_reference_id: user, currency_id, currency_code, network }
    const facts = statesOf(one).map((status, stage): Fact => {
      const final = status === 'succeeded'
      return sampleFact({
        ...owner,
        kind: one.kind,
        status,
        source: 'reconciliation',
        amount: onramp && !final ? null : amountOf(one.kind === 'deposit' && !final ? one.early : one.cents),
        to_address: onramp ? null : ADDRESS,
        ...namesIn(one, key, LIST_BIT + stage),
      })
    })
    const events = facts.map(
      (
        { source: _source, currency_id: _currency_id, currency_code: code, network: _network, ...details },
        stage,
      ): GatewayEvent => ({
        ...details,
        ...namesIn(one, key, stage),
        event: one.kind,
        merchant_reference: onramp ? null : MERCHANT,
        currency: onramp
          ? { known: 'by_name', code, name: null, network }
          : { known: 'by_id', currency: currencyAt(one.currency) },
        session_reference: one.ours === 'by_reference' && onramp ? sessionIdOf(uuid) : null,
      }),
    )
    const listed = (one.listed && one.kind === 'deposit') || one.kind === 'payout'
    const story: TransferStory = {
      kind: one.kind,
      uuid,
      transfer: one,
      amount: amountOf(one.cents),
      events,
      facts: listed ? facts : [],
    }
    if (!onramp || one.becomes === null) return [story]
    const became: Transfer = { ...one, ...one.becomes, kind: 'deposit', listed: true, early: one.becomes.cents }
    const ofDeposit = statesOf(became).map((status, stage) =>
      sampleFact({
        ...owner,
        kind: 'deposit',
        status,
        source: 'reconciliation',
        amount: amountOf(became.cents),
        to_address: ADDRESS,
        ...namesIn(became, key, LIST_BIT + stage),
      }),
    )
    const deposit = { kind: 'deposit', uuid, transfer: became, amount: amountOf(became.cents), events: [] } as const
    return [story, { ...deposit, facts: ofDeposit }]
  })
}

/** The sessions that this cashier has made for on-ramps. */
export const purchaseSessionsOf = (user: string, stories: readonly TransferStory[]): readonly OnrampRow[] =>
  stories.flatMap(({ kind, uuid, transfer: { ours, currency } }) => {
    const { id: currency_id, currency_code, network } = currencyAt(currency)
    const correlation_key = ours === 'by_key' ? keyOfPurchase(uuid) : null
    // Without a key, the gateway's reply with the link has not arrived.
    const reply = correlation_key === null ? { correlation_key, link: null } : { correlation_key }
    const of = { user_reference_id: user, currency_id, currency_code, network, ...reply }
    return kind === 'onramp' && ours !== null ? [sampleOnramp({ id: sessionIdOf(uuid), ...of })] : []
  })

/** All messages about a transaction. */
export const messagesOf = ({ events, facts }: TransferStory): readonly (GatewayEvent | Fact)[] => [...events, ...facts]

export const finalOf = (story: TransferStory): Fact['status'] => statesOf(story.transfer).at(-1) ?? 'other'

const namesOf = (story: TransferStory): ReadonlySet<string> =>
  new Set([
    `uuid ${story.uuid}`,
    ...messagesOf(story).flatMap(({ tx_hash, correlation_key }) => [
      ...(tx_hash === null ? [] : [`hash ${tx_hash.toLowerCase().replace('0x', '')}`]),
      ...(correlation_key === null ? [] : [`key ${correlation_key}`]),
    ]),
  ])

const isOurPurchase = ({ kind, uuid, transfer: { ours }, events }: TransferStory): boolean =>
  kind === 'onramp' &&
  (ours === 'by_reference' ||
    (ours === 'by_key' && events.some(({ correlation_key }) => correlation_key === keyOfPurchase(uuid))))

const hashOf = (story: TransferStory): string | null =>
  [...namesOf(story)].find((name) => name.startsWith('hash ')) ?? null

/** Every choice of at least `least` of these. */
const choices = <T>(items: readonly T[], least: number): readonly (readonly T[])[] =>
  items
    .reduce<readonly (readonly T[])[]>((some, item) => [...some, ...some.map((one) => [...one, item])], [[]])
    .filter((one) => one.length >= Math.min(least, items.length))

const totalOf = (stories: readonly TransferStory[]): number =>
  stories.reduce((total, { transfer }) => total + transfer.cents, 0)

/**
 * The rule for credits: a deposit that is certainly ours credits; an on-ramp of our session credits if no such deposit
 * shares its id or key. Of the on-ramps with one hash, its deposits stand for the choice whose sum is nearest, but for
 * deposits with the key of a session of ours.
 */
export function creditsOf(stories: readonly TransferStory[], currency: number, pinned: boolean): Decimal {
  const done = stories.filter((story) => story.transfer.currency === currency && finalOf(story) === 'succeeded')
  const deposits = done.filter((story) => story.kind === 'deposit' && (pinned || story.transfer.listed))
  const named = (story: TransferStory, arrived: readonly TransferStory[]): boolean =>
    arrived.some((deposit) =>
      [...namesOf(story)].some((name) => !name.startsWith('hash ') && namesOf(deposit).has(name)),
    )
  const ours = done.filter(isOurPurchase)
  const keys = new Set(
    stories.flatMap(({ kind, uuid, transfer }) =>
      kind === 'onramp' && transfer.ours === 'by_key' ? [`key ${keyOfPurchase(uuid)}`] : [],
    ),
  )
  const keyOf = (story: TransferStory): string | undefined => [...namesOf(story)].find((name) => keys.has(name))
  const isCovered = (story: TransferStory): boolean => {
    const hash = hashOf(story)
    const all = deposits.filter((one) => hash !== null && hashOf(one) === hash)
    const arrived = all.filter((one) => keyOf(one) === undefined)
    if (arrived.length === 0) return false
    const taken = new Set(all.flatMap((one) => keyOf(one) ?? []))
    const together = ours.filter((one) => hashOf(one) === hash && !taken.has(keyOf(one) ?? ''))
    const best = choices(together, arrived.length)
      .filter((some) => together.every((one) => some.includes(one) || !named(one, arrived)))
      .map((some) => ({ some, total: totalOf(some) }))
      .sort((a, b) => Math.abs(a.total - totalOf(arrived)) - Math.abs(b.total - totalOf(arrived)) || b.total - a.total)
    return best[0]?.some.includes(story) === true
  }
  const onramps = ours.filter((story) => !named(story, deposits) && !isCovered(story))
  return [...deposits, ...onramps].reduce<Decimal>((total, { amount }) => add(total, amount), ZERO)
}
