/** What happens next in a story, and when. */
import type { NextStep } from '#lib/contract/operate/story.ts'
import { awaitsDeposit, awaitsGateway } from '../../ledger/overdue.ts'
import { isOpenWithdrawal } from '../../ledger/withdrawal-statuses.ts'
import type { StoryRows, TransactionRow, WithdrawalRow } from '../../store/types.ts'
import { isoOrNull } from './entry-base.ts'
import { isEventLine } from './told.ts'

export interface StoryRules {
  readonly nowMs: number
  /** `WITHDRAWAL_ABSENCE_S` in milliseconds. */
  readonly absenceMs: number
  /** `OVERDUE_S` in milliseconds. */
  readonly overdueMs: number
  /** Whether the cashier keeps the books. */
  readonly keepsBooks: boolean
  /** How long after its first attempt a delivery is given up. */
  readonly giveUpMs: number
}

const step = (what: NextStep['what'], atMs: number | null, more: Partial<NextStep> = {}): NextStep => ({
  what,
  at: isoOrNull(atMs),
  ...{ count: null, reason: null, id: null },
  ...more,
})

/** When a person is told that the gateway has been silent for too long, or that one was. */
const overdueStep = (sinceMs: number, overdueMs: number | null, rules: StoryRules): readonly NextStep[] =>
  overdueMs === null
    ? [step('overdue', Math.max(rules.nowMs, sinceMs + rules.overdueMs))]
    : [step('overdue_told', overdueMs)]

function ofWithdrawal(row: WithdrawalRow, listRead: readonly NextStep[], rules: StoryRules): readonly NextStep[] {
  if (row.status === 'pending_authorization') {
    const isDecided = row.step === 'pending' && row.early_decision !== null
    const wait = row.wait_until_ms !== null && row.wait_until_ms > rules.nowMs ? [step('wait', row.wait_until_ms)] : []
    return [...(isDecided ? [] : [step('decision', null, { id: row.id })]), ...wait]
  }
  if (row.status === 'succeeded' || row.status === 'failed') return []
  if (row.step === 'calling') return [step('reply', null)]
  const overdue = overdueStep(row.call_ended_ms, row.overdue_ms, rules)
  if (isOpenWithdrawal(row.status)) return [...listRead, ...overdue]
  const proofMs = row.call_ended_ms + rules.absenceMs
  return [
    step('absence_check', row.next_check_ms, { count: row.absent_scans }),
    ...(proofMs > rules.nowMs ? [step('absence_proof', proofMs)] : []),
    ...overdue,
  ]
}

const ofTransaction = (row: TransactionRow, listRead: readonly NextStep[], rules: StoryRules): readonly NextStep[] =>
  awaitsGateway(row)
    ? [
        ...(awaitsDeposit(row) ? [step('deposit', null)] : []),
        ...listRead,
        ...overdueStep(row.updated_ms, row.overdue_ms, rules),
      ]
    : []

/** The read of the list of the story's user. */
function listReadOf({ users }: StoryRows, { nowMs }: StoryRules): readonly NextStep[] {
  if (users.some(({ is_claimed }) => is_claimed)) return [step('list_being_read', null)]
  const next = users.flatMap(({ reconcile_in_ms }) => reconcile_in_ms ?? [])
  return next.length === 0 ? [] : [step('list_read', nowMs + Math.max(0, Math.min(...next)))]
}

function ofLines({ lines }: StoryRows, { nowMs }: StoryRules): readonly NextStep[] {
  return lines
    .filter(({ settled_ms }) => settled_ms === null)
    .map((line) => {
      const { id, reason, release_ms } = line
      const about = { reason, id: String(id) }
      const isRetried =
        reason === 'unknown_user' ||
        reason === 'unknown_currency' ||
        reason === 'unknown_event' ||
        reason === 'unknown_status'
      if (isEventLine(line) && isRetried) return step('release', release_ms > nowMs ? release_ms : null, about)
      return step('person', null, about)
    })
}

const ofDeliveries = ({ deliveries }: StoryRows, { nowMs, giveUpMs }: StoryRules): readonly NextStep[] =>
  deliveries.flatMap(({ cursor, delivery }) => {
    const about = { id: String(cursor), count: delivery?.attempts ?? 0 }
    if (delivery === null) return []
    if (delivery.state === 'dead') return [step('delivery_dead', null, about)]
    const { first_ms, next_in_ms } = delivery
    return [
      step('delivery', nowMs + Math.max(0, next_in_ms), about),
      ...(first_ms === null ? [] : [step('delivery_gives_up', first_ms + giveUpMs, about)]),
    ]
  })

/** Without repetitions: what waits for the same read of the list is named once. */
export function nextSteps(rows: StoryRows, rules: StoryRules): readonly NextStep[] {
  const listRead = listReadOf(rows, rules)
  const steps = [
    ...rows.withdrawals.flatMap((row) => ofWithdrawal(row, listRead, rules)),
    ...rows.transactions
      .filter(
        (row) =>
          !rows.withdrawals.some(
            ({ id, status }) => id === row.withdrawal_id && status !== 'succeeded' && status !== 'failed',
          ),
      )
      .flatMap((row) => ofTransaction(row, listRead, rules)),
    ...rows.payouts
      .filter(({ owner, awaits_list }) => owner === null && awaits_list === 0)
      .map(({ transaction_uuid }) => step('owner', null, { id: transaction_uuid })),
    ...ofLines(rows, rules),
    ...ofDeliveries(rows, rules),
  ]
  return [...new Map(steps.map((one) => [`${one.what} ${one.at ?? ''} ${one.id ?? ''}`, one])).values()]
}
