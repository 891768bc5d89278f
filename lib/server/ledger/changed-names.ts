/** The names that the changed rows of a unit of work give up and take (`row-users.ts`). */
import type { ChangedRows } from './changed-rows.ts'
import { transactionKey, type FactSet } from './fact-set.ts'
import { assertOneUser, NO_USER, type RenamedRow, type RowUser } from './row-users.ts'
import type { OnrampRow, PayoutRow, TransactionRow, WithdrawalRow } from './rows.ts'

/**
 * The transactions whose row or facts have changed. A transaction stands under its user, or under none: until an event
 * names the user, and if the coins of a purchase go to a wallet of the user's own.
 * @throws BrokenInvariant if one changes its user
 */
export function transactionNames(
  rows: ChangedRows<TransactionRow>,
  factSet: FactSet,
): readonly (RenamedRow & Pick<TransactionRow, 'kind'>)[] {
  const keys = new Map(
    [...factSet.changed(), ...rows.changed()].map(({ kind, transaction_uuid }) => [
      transactionKey(kind, transaction_uuid),
      { kind, transaction_uuid },
    ]),
  )
  return [...keys].map(([key, { kind, transaction_uuid }]) => {
    const before = rows.before(key)
    const isStored = before !== null || factSet.isStored(key)
    const from = isStored ? (before?.user_reference_id ?? NO_USER) : null
    const to = rows.get(key)?.user_reference_id ?? NO_USER
    assertOneUser((from ?? NO_USER) === NO_USER || to === NO_USER || from === to, { name: transaction_uuid, kind })
    return { kind, name: transaction_uuid, from, to }
  })
}

/** The withdrawals that have got another payout. */
export const withdrawalNames = (rows: ChangedRows<WithdrawalRow>): readonly RenamedRow[] =>
  rows.changed().flatMap((row): readonly RenamedRow[] => {
    const { user_reference_id: user } = row
    const before = rows.before(row.id)?.transaction_uuid ?? null
    if (before === row.transaction_uuid) return []
    return [
      ...(before === null ? [] : [{ name: before, kind: 'withdrawal', from: user, to: null } as const]),
      ...(row.transaction_uuid === null
        ? []
        : [{ name: row.transaction_uuid, kind: 'withdrawal', from: null, to: user } as const]),
    ]
  })

/** The payouts that are recorded or have another user. */
export const payoutNames = (rows: ChangedRows<PayoutRow>): readonly RenamedRow[] =>
  rows.changed().map(({ transaction_uuid: name, user_reference_id: to }) => {
    const from = rows.before(name)?.user_reference_id ?? null
    return { name, kind: 'paid', from, to } as const
  })

/** The keys that events gave to on-ramp sessions. */
export const newSessionKeys = (rows: ChangedRows<OnrampRow>): readonly RowUser[] =>
  rows.changed().flatMap(({ id, correlation_key: name, user_reference_id }) => {
    const isNew = name !== null && rows.before(id)?.correlation_key !== name
    return isNew ? [{ name, kind: 'key', user_reference_id } as const] : []
  })
