/**
 * Under which user the rows of a transaction, a payout or a withdrawal stand. Each key of the store begins with the
 * user, so a name that events give without its user, such as a `transaction_uuid`, leads to its user first. A name has
 * one user at a time.
 */
import type { TransactionKind } from '#lib/contract/stream.ts'
import { compareTexts } from './compare.ts'
import { assertInvariant } from './invariant.ts'

/** The user of rows that have none. */
export const NO_USER = ''

/**
 * What a name means: a transaction's row and facts, the withdrawal with this payout, the payout, an on-ramp session, the
 * adjustment of an erased user.
 */
export type NameKind = TransactionKind | 'withdrawal' | 'paid' | 'session' | 'key' | 'adjustment'

export interface RowUser {
  /** A `transaction_uuid`; of a session its id (`session`) or its correlation key (`key`); an `erasedKey`. */
  readonly name: string
  readonly kind: NameKind
  readonly user_reference_id: string
}

/** What a unit of work changes: each name under its user before (null: it had none) and after (null: has none). */
export interface RenamedRow extends Pick<RowUser, 'name' | 'kind'> {
  readonly from: string | null
  readonly to: string | null
}

const nameOf = ({ name, kind }: Pick<RowUser, 'name' | 'kind'>): string => `${kind} ${name}`

/**
 * The names that a unit of work gives up, then those that it takes. In the order of the names, so that two units never
 * wait for each other in a circle.
 * @throws BrokenInvariant if two users take one name
 */
export function nameChanges(rows: readonly RenamedRow[]): {
  readonly freed: readonly RowUser[]
  readonly claimed: readonly RowUser[]
} {
  const freed: RowUser[] = []
  const claimed = new Map<string, RowUser>()
  for (const { name, kind, from, to } of rows) {
    if (from === to) continue
    if (from !== null) freed.push({ name, kind, user_reference_id: from })
    if (to === null) continue
    const other = claimed.get(nameOf({ name, kind }))?.user_reference_id ?? null
    assertOneUser(compareTexts(other, to) !== 'differ', { name, kind })
    claimed.set(nameOf({ name, kind }), { name, kind, user_reference_id: to })
  }
  const inOrder = (a: RowUser, b: RowUser): number => (nameOf(a) < nameOf(b) ? -1 : 1)
  return { freed: freed.sort(inOrder), claimed: [...claimed.values()].sort(inOrder) }
}

/** @throws BrokenInvariant if a name would have two users */
export function assertOneUser(holds: boolean, { name, kind }: Pick<RowUser, 'name' | 'kind'>): void {
  assertInvariant(holds, kind === 'withdrawal' ? 'one_withdrawal' : 'one_user', name)
}
