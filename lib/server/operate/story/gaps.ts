/** What one would expect in a story and does not find. */
import { STORY_GAPS, type StoryGap } from '#lib/contract/operate/story.ts'
import type { StoryEntry } from '#lib/contract/operate/story-entries.ts'
import { awaitsDeposit } from '../../ledger/overdue.ts'
import type { StoryRows, TransactionRow } from '../../store/types.ts'

type Rule = (rows: StoryRows, entries: readonly StoryEntry[]) => boolean

const hasFact = ({ facts }: StoryRows, { kind, transaction_uuid }: TransactionRow, source: string): boolean =>
  facts.some(
    ({ fact }) =>
      fact.kind === kind &&
      fact.transaction_uuid === transaction_uuid &&
      fact.source === source &&
      fact.misplaced !== true,
  )

/** That the list of another user has it. */
const isElsewhere = ({ facts, records }: StoryRows, { transaction_uuid, user_reference_id }: TransactionRow): boolean =>
  facts.some(({ fact }) => fact.transaction_uuid === transaction_uuid && fact.misplaced === true) ||
  records.some((row) => row.transaction_uuid === transaction_uuid && row.user_reference_id !== user_reference_id)

/** The list has no purchases. A record that contradicts what stands is no fact. */
const isUnlisted = (rows: StoryRows, row: TransactionRow): boolean =>
  row.kind !== 'onramp' &&
  !hasFact(rows, row, 'reconciliation') &&
  !rows.records.some(
    (record) => record.transaction_uuid === row.transaction_uuid && record.user_reference_id === row.user_reference_id,
  )

const some = ({ transactions }: StoryRows, test: (row: TransactionRow) => boolean): boolean => transactions.some(test)

const RULES: Readonly<Record<StoryGap, Rule>> = {
  event: (rows) => some(rows, (row) => !hasFact(rows, row, 'webhook')),
  record: (rows) => some(rows, (row) => isUnlisted(rows, row) && !isElsewhere(rows, row)),
  record_elsewhere: (rows) => some(rows, (row) => isUnlisted(rows, row) && isElsewhere(rows, row)),
  reply: (_rows, entries) => entries.some((entry) => entry.kind === 'call_unkept' && entry.ended_at !== null),
  owner: ({ payouts }) => payouts.some(({ owner }) => owner === null),
  user: (rows) => some(rows, (row) => row.user_reference_id === null && row.onramp_session_id === null),
  deposit: (rows) => some(rows, awaitsDeposit),
  hash: (rows) => some(rows, (row) => row.kind !== 'onramp' && row.status === 'succeeded' && row.tx_hash === null),
  session: (rows) => some(rows, (row) => row.kind === 'onramp' && row.onramp_session_id === null),
  transaction: ({ withdrawals }) =>
    withdrawals.some(
      ({ called_ms, status, transaction_uuid }) =>
        called_ms !== null && transaction_uuid === null && status !== 'failed',
    ),
  raw_event: (_rows, entries) => entries.some((entry) => entry.kind === 'event' && entry.raw === null),
  vanished: (rows) => some(rows, (row) => row.vanished_ms !== null),
}

export const storyGaps = (rows: StoryRows, entries: readonly StoryEntry[]): readonly StoryGap[] =>
  STORY_GAPS.filter((gap) => RULES[gap](rows, entries))
