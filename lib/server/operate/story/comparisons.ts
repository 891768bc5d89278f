/** What the sources say about one story, field by field. */
import { STORY_FIELDS, type StoryComparison, type StoryField } from '#lib/contract/operate/story-comparison.ts'
import { canonical } from '#lib/contract/money.ts'
import {
  agrees,
  compareAddresses,
  compareAmounts,
  compareCurrencies,
  compareHashes,
  comparePaid,
  compareTexts,
  type Comparison,
} from '../../ledger/compare.ts'
import { isMuchLess } from '../../ledger/credits.ts'
import { fold } from '../../ledger/facts.ts'
import type { StoryRows, TransactionRow, WithdrawalRow } from '../../store/types.ts'
import { heldEvents } from './held-purchase.ts'
import { isEventLine, readEvent, toldBy, toldByEvent, toldByRecord, toldBySession, type Told } from './told.ts'

const askedBy = (row: WithdrawalRow): Told => ({
  source: 'asked',
  user: row.user_reference_id,
  currency: row,
  amount: row.amount,
  paid: null,
  to_address: row.wallet_address,
  from_address: null,
  hash: null,
  transaction: null,
})

const repliedTo = (row: WithdrawalRow): Told => ({
  ...{ source: 'reply', user: null, currency: null, paid: null, to_address: null, from_address: null, hash: null },
  amount: row.reply_amount,
  transaction: row.reply_transaction_uuid,
})

function compareMoney(a: Told, b: Told): Comparison {
  if (!isPair(a, b)) return compareAmounts(a, b)
  const [purchase, deposit] = a.source === 'deposit' ? [b, a] : [a, b]
  if (purchase.amount === null || deposit.amount === null) return 'unknown'
  return isMuchLess(deposit.amount, purchase.amount) ? 'differ' : 'agree'
}

/** A purchase and its deposit are two transactions. */
const isPair = (a: Told, b: Told): boolean => (a.source === 'deposit') !== (b.source === 'deposit')

/** By the same rule as `fitsSession`: less may be paid than was asked for, and a little more. */
function comparePurchases(a: Told, b: Told): Comparison {
  if (a.paid === null || b.paid === null) return 'unknown'
  if (a.paid.fiat !== b.paid.fiat) return 'differ'
  const [session, purchase] = a.source === 'session' ? [a.paid, b.paid] : [b.paid, a.paid]
  return session.amount === null ? 'unknown' : comparePaid(purchase.amount, session.amount)
}

const networkOf = (a: Told, b: Told): string => (a.currency ?? b.currency)?.network ?? ''

const COMPARE: Readonly<Record<StoryField, (a: Told, b: Told) => Comparison>> = {
  user: (a, b) => compareTexts(a.user, b.user),
  currency: (a, b) =>
    a.currency === null || b.currency === null ? 'unknown' : compareCurrencies(a.currency, b.currency),
  amount: compareMoney,
  paid: comparePurchases,
  to_address: (a, b) => (isPair(a, b) ? 'unknown' : compareAddresses(networkOf(a, b), a.to_address, b.to_address)),
  from_address: (a, b) =>
    isPair(a, b) ? 'unknown' : compareAddresses(networkOf(a, b), a.from_address, b.from_address),
  hash: (a, b) => compareHashes(networkOf(a, b), a.hash, b.hash),
  transaction: (a, b) => (isPair(a, b) ? 'unknown' : compareTexts(a.transaction, b.transaction)),
}

const VALUE: Readonly<Record<StoryField, (told: Told) => string | null>> = {
  user: ({ user }) => user,
  currency: ({ currency }) => currency && `${currency.currency_code} ${currency.network}`,
  amount: ({ amount }) => amount && canonical(amount),
  paid: ({ paid }) => paid && `${paid.amount === null ? '?' : canonical(paid.amount)} ${paid.fiat}`,
  to_address: ({ to_address }) => to_address,
  from_address: ({ from_address }) => from_address,
  hash: ({ hash }) => hash,
  transaction: ({ transaction }) => transaction,
}

/** The fields about which two sources say different things. */
export const differingFields = (a: Told, b: Told): readonly StoryField[] =>
  STORY_FIELDS.filter((field) => !agrees(COMPARE[field](a, b)))

function comparisonOf(field: StoryField, told: readonly Told[]): StoryComparison | null {
  const values = told.flatMap((one) => {
    const value = VALUE[field](one)
    return value === null ? [] : [{ source: one.source, value }]
  })
  if (values.length === 0) return null
  const found = told.flatMap((a, index) => told.slice(index + 1).map((b) => COMPARE[field](a, b)))
  const verdict = found.includes('differ') ? 'differ' : found.includes('agree') ? 'agree' : 'unknown'
  return { field, verdict, values }
}

/** What the events and the list say about one transaction: the list's last word is its record. */
function sourcesOf({ facts, records }: StoryRows, { kind, transaction_uuid }: TransactionRow): readonly Told[] {
  const own = facts
    .map(({ fact }) => fact)
    .filter((fact) => fact.kind === kind && fact.transaction_uuid === transaction_uuid && fact.misplaced !== true)
  const [events, listed] = (['webhook', 'reconciliation'] as const).map((of) =>
    own.filter(({ source }) => source === of),
  )
  const record = kind === 'onramp' ? undefined : records.find((row) => row.transaction_uuid === transaction_uuid)
  const list = (record && toldByRecord(record)) ?? (listed?.length ? toldBy('list', fold(listed)) : null)
  return [...(events?.length ? [toldBy('event', fold(events))] : []), ...(list === null ? [] : [list])]
}

/** What is known of a transaction that only messages name. */
function sourcesAbout({ uuids: [asked], records, webhooks, lines }: StoryRows): readonly Told[] {
  const bodies = [
    ...webhooks.map(({ body }) => body),
    ...lines.filter((line) => line.transaction_uuid === asked && isEventLine(line)).map(({ event }) => event),
  ]
  const event = bodies.map(readEvent).findLast((one) => one !== null) ?? null
  const record = records.find((row) => row.transaction_uuid === asked)
  const list = record === undefined ? null : toldByRecord(record)
  return [...(event === null ? [] : [toldByEvent(event, '')]), ...(list === null ? [] : [list])]
}

function ownSources(rows: StoryRows, main: TransactionRow | null, withdrawal: WithdrawalRow | null): readonly Told[] {
  if (main !== null) return sourcesOf(rows, main)
  return withdrawal === null ? sourcesAbout(rows) : []
}

/** Of a purchase: its session, what is held in quarantine of it, and its deposit; null for another story. */
function purchaseSources(rows: StoryRows, main: TransactionRow | null): readonly Told[] | null {
  const held = heldEvents(rows).filter(({ kind }) => kind === 'onramp')
  const isPurchase = main?.kind === 'onramp'
  if (!isPurchase && held.length === 0) return null
  const deposits = rows.transactions.filter(
    ({ kind, transaction_uuid }) => kind === 'deposit' && (held.length > 0 || transaction_uuid === main?.deposit_uuid),
  )
  const own = !isPurchase ? [] : deposits.length > 0 ? [toldBy('purchase', main)] : sourcesOf(rows, main)
  return [
    ...rows.onramps.map(toldBySession),
    ...held.map((event) => toldByEvent(event, '', 'held')),
    ...own,
    ...deposits.map((row) => toldBy('deposit', row)),
  ]
}

/**
 * Every source of the story, side by side: a withdrawal with what the gateway replied and its payout, a purchase with
 * its deposit, or one transaction.
 * @param main the transaction that the story is about; of a withdrawal, its payout
 */
export function storyComparisons(
  rows: StoryRows,
  main: TransactionRow | null,
  withdrawal: WithdrawalRow | null,
): readonly StoryComparison[] {
  const asked = withdrawal === null ? [] : [askedBy(withdrawal), repliedTo(withdrawal)]
  const all = [...asked, ...(purchaseSources(rows, main) ?? ownSources(rows, main, withdrawal))]
  return STORY_FIELDS.flatMap((field) => comparisonOf(field, all) ?? [])
}
