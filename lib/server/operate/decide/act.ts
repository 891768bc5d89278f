/** What every act in the console has: a person, a reason, and an entry in the audit log. */
import type { OperatorRole } from '#lib/contract/operate/operators.ts'
import { isProblem, Problem, type ProblemExtras } from '#lib/contract/problems.ts'
import type { Decider } from '../../store/types.ts'

/** Who acts. */
export interface Actor {
  readonly id: string
  readonly name: string
  readonly role: OperatorRole
}

export interface ActEntry {
  readonly operator: Actor
  /** Such as `withdrawal.approve`. */
  readonly action: string
  readonly about: { readonly kind: string; readonly id: string; readonly user_reference_id?: string | null }
  readonly reason: string
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Stores the act before it is done, and what became of it; the composition root supplies it. */
export type Audited = <T>(entry: ActEntry, act: () => Promise<T>) => Promise<T>

const OPERATOR = 'operator:'
export const settledByOf = ({ name }: Pick<Actor, 'name'>): Decider => `${OPERATOR}${name}`

/** Who settled something, and when. */
export interface Settled {
  readonly settled_by: string
  readonly settled_at: string
}

/** Who settled something, in words. */
const nameOf = (by: string): string => {
  if (by.startsWith(OPERATOR)) return by.slice(OPERATOR.length)
  return by === 'merchant' ? "The merchant's own server" : 'The cashier'
}

/** A conflict that says who was faster, and when, in its fields and in words. */
export const conflictWith = (settled: Settled, why: string, extras: ProblemExtras = {}): Problem =>
  new Problem('conflict', `${why} ${nameOf(settled.settled_by)} was faster: ${settled.settled_at}.`, {
    ...extras,
    ...settled,
  })

/**
 * Runs an act of which only the first counts.
 * @param winner who was faster; null if nobody is known
 * @throws Problem `conflict` that also says who was faster, and when
 */
export async function orTellWinner<T>(act: () => Promise<T>, winner: () => Promise<Settled | null>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!isProblem(error) || error.code !== 'conflict') throw error
    const settled = await winner()
    throw settled === null ? error : conflictWith(settled, error.detail, error.extras)
  }
}
