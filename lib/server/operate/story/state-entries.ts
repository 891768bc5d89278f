/** What the cashier did: requests, calls, states, postings. */
import * as z from 'zod/mini'
import { WITHDRAWAL_RULE_NAMES } from '#lib/contract/cashier.ts'
import type { StoryEntry } from '#lib/contract/operate/story-entries.ts'
import { canonical } from '#lib/contract/money.ts'
import { readStates, type StateCause } from '../../ledger/withdrawal-history.ts'
import { rankOf } from '../../ledger/transaction-statuses.ts'
import { resolutionView } from '../../ledger/withdrawal-view.ts'
import type { StoryRows, TransactionRow, WithdrawalRow } from '../../store/types.ts'
import { entryAt, isoAt, isoOrNull } from './entry-base.ts'

const DECISIONS: readonly StateCause[] = ['approved', 'declined', 'postponed']

const ruleNames = z.array(z.enum(WITHDRAWAL_RULE_NAMES))

const requestOf = (row: WithdrawalRow): StoryEntry => ({
  ...entryAt(`requested:${row.id}`, row.created_ms, row.id),
  kind: 'requested',
  ...{ amount: canonical(row.amount), currency_code: row.currency_code, network: row.network },
  address: row.wallet_address,
  review: row.review === null ? [] : ruleNames.parse(JSON.parse(row.review)),
  wait_until: isoOrNull(row.wait_until_ms),
})

/** A person's decision; none if it was made in the console, where it is an act of its own. */
function resolutionOf({ acts }: StoryRows, { id, resolution }: WithdrawalRow): readonly StoryEntry[] {
  const kept = resolutionView(resolution)
  if (kept === null) return []
  const { outcome, note, resolved_at } = kept
  if (
    acts.some(
      ({ about_id, action, ended }) => about_id === id && action === `withdrawal.${outcome}` && ended === 'done',
    )
  )
    return []
  return [{ ...entryAt(`resolution:${id}`, Date.parse(resolved_at), id), kind: 'resolution', outcome, note }]
}

/** The words for the user belong to the last decision. */
function statesOf({ id, states, user_message }: WithdrawalRow): readonly StoryEntry[] {
  const all = readStates(states)
  const decided = all.findLastIndex(({ cause }) => DECISIONS.includes(cause))
  return all.map(({ status, at_ms, cause }, index) => ({
    ...entryAt(`state:${id}:${String(index)}`, at_ms, id),
    ...{ kind: 'state', status, cause, words: index === decided ? user_message : null },
  }))
}

/** The calls about a withdrawal as they are kept, or that the gateway was called. */
function callsOf({ calls }: StoryRows, { id, called_ms, call_ended_ms, states }: WithdrawalRow): readonly StoryEntry[] {
  const own = calls.filter(({ withdrawal_id }) => withdrawal_id === id)
  const kept = own.map(({ purpose, started_ms, ended_ms, status, fault, request, reply }): StoryEntry => ({
    ...entryAt(`call:${id}:${purpose}:${String(started_ms)}`, started_ms, id),
    ...{ kind: 'call', purpose, ended_at: isoAt(ended_ms), status, fault, request, reply },
  }))
  // After a restored backup it counts as called, whether it was or not.
  const isDoubted = readStates(states).some(({ cause }) => cause === 'restored')
  if (called_ms === null || isDoubted || own.some(({ purpose }) => purpose === 'withdraw')) return kept
  const unkept = entryAt(`call:${id}`, called_ms, id)
  return [...kept, { ...unkept, kind: 'call_unkept', ended_at: isoOrNull(call_ended_ms) }]
}

/** Of the withdrawals: the request, what the merchant and the gateway were asked, each state, a person's decision. */
export const withdrawalEntries = (rows: StoryRows): readonly StoryEntry[] =>
  rows.withdrawals.flatMap((row) => [
    requestOf(row),
    ...callsOf(rows, row),
    ...statesOf(row),
    ...resolutionOf(rows, row),
  ])

export const purchaseEntries = ({ onramps }: StoryRows): readonly StoryEntry[] =>
  onramps.map((row) => ({
    ...entryAt(`purchase:${row.id}`, row.created_ms, row.id),
    kind: 'purchase_started',
    ...{ amount: canonical(row.amount), currency_code: row.currency_code, network: row.network, session_id: row.id },
    ...{ fiat_currency: row.fiat_currency, country: row.country, wallet_address: row.wallet_address ?? null },
  }))

type StatusEntry = Extract<StoryEntry, { kind: 'state' }>

/** Each state of a transaction: the highest status that was told until then. A payout's is that of its withdrawal. */
function movesOf({ facts }: StoryRows, { kind, transaction_uuid }: TransactionRow): readonly StoryEntry[] {
  const told = facts
    .filter(({ fact }) => fact.kind === kind && fact.transaction_uuid === transaction_uuid && fact.misplaced !== true)
    .toSorted((a, b) => a.recorded_ms - b.recorded_ms)
  let highest = -1
  return told.flatMap(({ fact: { status }, recorded_ms }): readonly StatusEntry[] => {
    const rank = rankOf(kind, status) ?? -1
    if (rank <= highest) return []
    highest = rank
    return [
      {
        ...entryAt(`state:${kind}:${transaction_uuid}:${status}`, recorded_ms, transaction_uuid),
        ...{ kind: 'state', status, cause: 'told', words: null },
      },
    ]
  })
}

export const transactionEntries = (rows: StoryRows): readonly StoryEntry[] =>
  rows.transactions.filter((row) => row.withdrawal_id === null).flatMap((row) => movesOf(rows, row))

/** Each posting, with the currency of what it was booked for. */
export function postingEntries({ postings, transactions, withdrawals }: StoryRows): readonly StoryEntry[] {
  const subjects = [
    ...transactions.map((row) => ({ row, id: row.transaction_uuid, about: `:${row.kind}:${row.transaction_uuid}` })),
    ...withdrawals.map((row) => ({ row, id: row.id, about: `:${row.id}` })),
  ]
  return postings
    .toSorted((a, b) => a.id - b.id)
    .map((row): StoryEntry => {
      const subject = subjects.find(({ about }) => row.posting_key.endsWith(about))
      return {
        ...entryAt(`posting:${String(row.id)}`, row.created_ms, subject?.id ?? null),
        ...{
          kind: 'posting',
          booking: row.kind,
          posting_key: row.posting_key,
          from: row.from_account,
          to: row.to_account,
        },
        amount: canonical(row.amount),
        currency_code: subject?.row.currency_code ?? row.currency_id,
        network: subject?.row.network ?? '',
      }
    })
}

/** Whose each payout is: since it was settled, or since it was first seen. */
export const ownerEntries = ({ payouts, lines }: StoryRows): readonly StoryEntry[] =>
  payouts.flatMap(({ transaction_uuid, owner, withdrawal_id, note, first_seen_ms }): readonly StoryEntry[] => {
    if (owner === null) return []
    const asked = lines.filter(
      (line) => line.reason === 'unmatched_payout' && line.transaction_uuid === transaction_uuid,
    )
    const sinceMs = Math.max(first_seen_ms, ...asked.map(({ settled_ms }) => settled_ms ?? 0))
    return [
      { ...entryAt(`owner:${transaction_uuid}`, sinceMs, transaction_uuid), kind: 'owner', owner, withdrawal_id, note },
    ]
  })
