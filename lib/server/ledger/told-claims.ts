/** What the list says of a disputed transaction, and what of it a person was told last. */
import * as z from 'zod/mini'
import { canonical } from '#lib/contract/money.ts'
import type { Fact } from './facts.ts'
import { hasTransactionEnded, rankOf } from './transaction-statuses.ts'

/** What a record says of status, amount and currency: only a change of these is told again. It outlives the user. */
export const listedClaim = ({ status, amount, currency_id, currency_code, network }: Fact): string =>
  JSON.stringify([status, amount && canonical(amount), currency_id, currency_code, network])

/** What a list says of a transaction that is another user's by it: no claim about this user's. */
export const othersClaim = (claim: string, { misplaced }: Fact): string =>
  `${misplaced === true ? 'given away' : 'of another list'} ${claim}`

const claimSchema = z.tuple([z.string()], z.unknown())

/** The claim of the list of which a person was told last; null if there is none. */
function toldClaim(stored: readonly Fact[]): readonly [string, ...unknown[]] | null {
  const said = stored.find(({ told }) => told !== undefined)?.told?.said
  return said?.startsWith('[') === true ? claimSchema.parse(JSON.parse(said)) : null
}

/** Whether the list says another amount or currency of a disputed transaction than a person was told last. */
export function changesClaim(stored: readonly Fact[], fact: Fact): boolean {
  const claim = toldClaim(stored)
  if (fact.source !== 'reconciliation' || claim === null) return false
  const moneyIn = (one: readonly unknown[]): string => JSON.stringify(one.slice(1))
  return moneyIn(claim) !== moneyIn(claimSchema.parse(JSON.parse(listedClaim(fact))))
}

/**
 * Whether the list says again what it had said before a person was told of another amount, currency or end. A replica
 * that lags behind, and still says that it is under way, takes nothing back.
 */
export function returnsToClaim(stored: readonly Fact[], fact: Fact): boolean {
  const claim = toldClaim(stored)
  if (fact.source !== 'reconciliation' || claim === null) return false
  const [status] = claim
  if (hasTransactionEnded(fact.status)) return changesClaim(stored, fact) || fact.status !== status
  return changesClaim(stored, fact) && (rankOf(fact.kind, fact.status) ?? 0) >= (rankOf(fact.kind, status) ?? 0)
}

/** Whether a person was told last that the list calls a disputed transaction succeeded. */
export const isToldSucceeded = (stored: readonly Fact[]): boolean => toldClaim(stored)?.[0] === 'succeeded'

/** What the list says of a disputed transaction that it calls under way again. */
export const reopenedClaim = (stored: readonly Fact[]): string =>
  JSON.stringify(['processing', ...(toldClaim(stored) ?? ['']).slice(1)])
