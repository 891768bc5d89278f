import type { Locale } from '#lib/contract/locales.ts'
import type { WithdrawalDecision } from '#lib/contract/operate/decide.ts'
import type { ClockOffset } from '../../ledger/gateway-time.ts'
import { mayBeToldBy } from '../../ledger/payouts/attempts.ts'
import { payoutView } from '../../ledger/payouts/payout-view.ts'
import { merchantWithdrawalView } from '../../ledger/withdrawal-view.ts'
import type { PayoutRow, Store, WithdrawalRow } from '../../store/types.ts'
import type { RecordAudit } from '../audit/record-audit.ts'
import type { Actor } from './act.ts'
import { comparePayout, differencesIn } from './compare-payout.ts'
import { deciderOf, decisionOn, findWithdrawal } from './decide-pending.ts'
import { evidenceAbout } from './evidence.ts'
import type { Proposals } from './proposals.ts'
import { canSettle } from './settle-uncertain.ts'
import { needsTwoPersons, type AmountsByCode } from './two-persons.ts'

/** What the user's page says after each act, in the user's language; English for null. */
export type UserReads = (
  row: WithdrawalRow,
  locale: Locale | null,
  merchantName: string | null,
) => Promise<WithdrawalDecision['user_reads']>

export interface WithdrawalDecisionOptions {
  /** Each look at a person's data is noted. */
  readonly recordAudit: RecordAudit
  readonly store: Pick<
    Store,
    'withdrawals' | 'payouts' | 'users' | 'sessions' | 'transactions' | 'quarantine' | 'reconciliation'
  >
  readonly clock: () => number
  readonly clockOffset: () => ClockOffset
  /** `WITHDRAWAL_ABSENCE_S`, in milliseconds. */
  readonly absenceMs: number
  readonly twoPersonsAbove: AmountsByCode
  readonly proposals: Pick<Proposals, 'about'>
  readonly userReads: UserReads
}

/** As many of the user's newest payouts are offered for `sent`. */
const MOST_PAYOUTS = 50
const NEWEST = { first_seen_ms: Number.MAX_SAFE_INTEGER, transaction_uuid: '' } as const
const UNREAD = { whole_ms: null, unreadable_ms: null, incomplete_ms: null, incomplete_reads: 0 } as const

/** `GET /api/operate/withdrawals/{id}/decision`. @throws Problem `not_found` */
export function createWithdrawalDecision(options: WithdrawalDecisionOptions) {
  const { store, clock, clockOffset, absenceMs, twoPersonsAbove, proposals, userReads, recordAudit } = options

  const disputedMs = async (uuid: string | null): Promise<number | null> =>
    uuid === null
      ? null
      : ((await store.quarantine.openAbout(uuid, ['list_conflict', 'contradiction']))?.received_ms ?? null)

  const evidence = async (row: WithdrawalRow, open: readonly PayoutRow[]) => {
    const uuid = row.transaction_uuid
    const told = uuid === null ? [] : await store.transactions.facts('payout', uuid)
    return evidenceAbout({
      withdrawal: row,
      open,
      taken: (await store.quarantine.takenPayouts(row.user_reference_id)).map(
        ({ transaction_uuid }) => transaction_uuid,
      ),
      unread: (await store.quarantine.unreadPayouts(row.user_reference_id)).filter((line) => mayBeToldBy(row, line)),
      told: told.map(({ fact, recorded_ms }) => ({ source: fact.source, status: fact.status, recorded_ms })),
      list: (await store.users.listReads(row.user_reference_id)) ?? UNREAD,
      disputed_ms: await disputedMs(uuid),
      restored_ms: await store.reconciliation.restoredMs(),
      clockOffset: clockOffset(),
      absenceMs,
      nowMs: clock(),
    })
  }

  /** Payouts that `sent` may name: of nobody, acknowledged, or the withdrawal's own; the likeliest first. */
  const namable = async (row: WithdrawalRow) => {
    const filter = { owner: undefined, user_reference_id: row.user_reference_id }
    const payouts = await store.payouts.page(filter, NEWEST, MOST_PAYOUTS)
    return payouts
      .filter(({ withdrawal_id }) => withdrawal_id === null || withdrawal_id === row.id)
      .map((payout) => ({
        payout: payoutView(payout),
        compared: [...comparePayout(payout, row, clockOffset())],
        needs_two: needsTwoPersons(twoPersonsAbove, row, payout),
        rank: (payout.owner === null ? 0 : 10) + differencesIn(comparePayout(payout, row, clockOffset())),
      }))
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ rank: _rank, ...shown }) => shown)
  }

  return async (actor: Actor, id: string): Promise<WithdrawalDecision> => {
    const row = await findWithdrawal(store, id)
    const user = row.user_reference_id
    const about = { kind: 'withdrawal', id, user_reference_id: user }
    await recordAudit({ operator: actor, action: 'withdrawal.weigh', about })
    const open = await store.payouts.openOf([user])
    const session = await store.sessions.latestOf(user)
    const decided = deciderOf(row)
    const isPending = row.status === 'pending_authorization'
    const mayBeSettled = canSettle(row, open, clock())
    return {
      withdrawal: merchantWithdrawalView(row, open, clock()),
      decided: decided && { by: decided.settled_by, at: decided.settled_at, what: decisionOn(row) },
      can_approve: isPending && row.early_decision === null,
      // What was approved and waits can still be declined.
      can_decline: isPending && (row.step === 'pending' || row.early_decision === null),
      can_settle: mayBeSettled,
      needs_two: needsTwoPersons(twoPersonsAbove, row),
      locale: session?.locale ?? null,
      user_reads: await userReads(row, session?.locale ?? null, session?.merchant_name ?? null),
      evidence: mayBeSettled ? [...(await evidence(row, open))] : [],
      payouts: mayBeSettled ? await namable(row) : [],
      proposal: await proposals.about(actor, ['not_sent', 'sent'], id),
    }
  }
}
