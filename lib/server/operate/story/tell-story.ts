/** Tells the story of a transaction or a withdrawal from what is stored. No store, no clock. */
import * as z from 'zod/mini'
import { canonical } from '#lib/contract/money.ts'
import type { Story, StoryKind } from '#lib/contract/operate/story.ts'
import type { StoryEntry } from '#lib/contract/operate/story-entries.ts'
import type { StoryRows, TransactionRow, WithdrawalRow } from '../../store/types.ts'
import { storyComparisons } from './comparisons.ts'
import { actEntries, deliveryEntries } from './delivery-entries.ts'
import { isoAt } from './entry-base.ts'
import { storyGaps } from './gaps.ts'
import { eventEntries, lineEntries, recordEntries } from './message-entries.ts'
import { nextSteps, type StoryRules } from './next-steps.ts'
import {
  ownerEntries,
  postingEntries,
  purchaseEntries,
  transactionEntries,
  withdrawalEntries,
} from './state-entries.ts'

/** Of one moment: what was said, then what followed from it. */
const ORDER: Readonly<Record<StoryEntry['kind'], number>> = {
  requested: 0,
  purchase_started: 0,
  call: 1,
  call_unkept: 1,
  act: 1,
  resolution: 1,
  event: 2,
  record: 2,
  settled: 3,
  owner: 4,
  state: 5,
  posting: 6,
  reported: 7,
  delivery: 8,
}

const inOrder = (a: StoryEntry, b: StoryEntry): number =>
  Date.parse(a.at) - Date.parse(b.at) || ORDER[a.kind] - ORDER[b.kind]

const SOURCES: readonly ((rows: StoryRows) => readonly StoryEntry[])[] = [
  withdrawalEntries,
  purchaseEntries,
  eventEntries,
  recordEntries,
  lineEntries,
  transactionEntries,
  postingEntries,
  ownerEntries,
  deliveryEntries,
  actEntries,
]

const differing = z.array(z.object({ transaction_uuid: z.nullable(z.string()), withdrawal_id: z.nullable(z.string()) }))

/** Whether the control totals differ by one of these. */
const explainsTotals = ({ totals, uuids, withdrawals }: StoryRows): boolean =>
  totals
    .flatMap(({ transactions }) => differing.parse(JSON.parse(transactions)))
    .some(
      ({ transaction_uuid, withdrawal_id }) =>
        uuids.includes(transaction_uuid ?? '') || withdrawals.some(({ id }) => id === withdrawal_id),
    )

/** The transaction that the story is about; of a withdrawal, its payout. */
function mainOf({ uuids: [asked], transactions }: StoryRows, withdrawal: WithdrawalRow | null): TransactionRow | null {
  const wanted = withdrawal === null ? asked : withdrawal.transaction_uuid
  const found = transactions.filter(({ transaction_uuid }) => transaction_uuid === wanted)
  return found.find(({ kind }) => withdrawal === null || kind === 'payout') ?? null
}

/** What the story is about, as far as it is known. */
function subjectOf(
  { uuids: [asked], payouts, lines, records, onramps }: StoryRows,
  main: TransactionRow | null,
  withdrawal: WithdrawalRow | null,
) {
  const payout = payouts.find(({ transaction_uuid }) => transaction_uuid === (main?.transaction_uuid ?? asked)) ?? null
  const kind: StoryKind = withdrawal === null ? (main?.kind ?? (payout === null ? 'unknown' : 'payout')) : 'withdrawal'
  const row = withdrawal ?? main ?? payout
  const amount = row?.amount ?? null
  const named = [main, payout, ...onramps, ...records, ...lines].map((one) => one?.user_reference_id ?? null)
  return {
    kind,
    status: row?.status ?? null,
    user_reference_id: withdrawal?.user_reference_id ?? named.find((user) => user !== null) ?? null,
    amount: amount === null ? null : canonical(amount),
    currency_code: row?.currency_code ?? null,
    network: row?.network ?? null,
    to_address: withdrawal?.wallet_address ?? main?.to_address ?? payout?.to_address ?? null,
    from_address: main?.from_address ?? null,
    tx_hash: main?.tx_hash ?? null,
    withdrawal_id: withdrawal?.id ?? null,
    session_id: main?.onramp_session_id ?? null,
  }
}

/** What is stored of each transaction of the story; of one that only messages name, nothing but its uuid. */
const transactionsOf = (
  { uuids, transactions, payouts }: StoryRows,
  { keepsBooks }: StoryRules,
): Story['transactions'] =>
  uuids.flatMap((transaction_uuid): Story['transactions'] => {
    const rows = transactions.filter((row) => row.transaction_uuid === transaction_uuid)
    if (rows.length > 0)
      return rows.map(({ kind, status, standing, amount, currency_code, network, credited }) => ({
        ...{ transaction_uuid, kind, status, standing, currency_code, network },
        amount: amount && canonical(amount),
        credited: keepsBooks && kind !== 'payout' ? canonical(credited) : null,
      }))
    const payout = payouts.find((row) => row.transaction_uuid === transaction_uuid)
    return [
      {
        transaction_uuid,
        kind: payout === undefined ? null : 'payout',
        status: payout?.status ?? null,
        standing: null,
        amount: payout?.amount == null ? null : canonical(payout.amount),
        ...{ currency_code: payout?.currency_code ?? null, network: payout?.network ?? null, credited: null },
      },
    ]
  })

export function tellStory(rows: StoryRows, rules: StoryRules): Story {
  const [withdrawal = null] = rows.withdrawals
  const main = mainOf(rows, withdrawal)
  const entries = SOURCES.flatMap((source) => source(rows)).toSorted(inOrder)
  return {
    ...subjectOf(rows, main, withdrawal),
    transactions: transactionsOf(rows, rules),
    entries,
    comparisons: [...storyComparisons(rows, main, withdrawal)],
    missing: [...storyGaps(rows, entries)],
    next: [...nextSteps(rows, rules)],
    totals_differ: explainsTotals(rows),
    is_cut: rows.is_cut,
    read_at: isoAt(rules.nowMs),
  }
}
