import { classifyFact, type FactClass } from './classify-fact.ts'
import { agrees, comparePaid, compareTexts, type Comparison } from './compare.ts'
import { fold, type Fact } from './facts.ts'
import { sessionOf } from './onramp-session.ts'
import type { OnrampRow } from './rows.ts'
import type { UnitOfWork } from './unit-of-work.ts'

type Purchase = Pick<Fact, 'transaction_uuid' | 'from_amount' | 'from_currency'>
type Session = Pick<OnrampRow, 'settled_uuid' | 'amount' | 'fiat_currency'>

/** What a settled purchase has in common with its session. */
const CHECKS = {
  only_purchase: ({ transaction_uuid }, { settled_uuid }) => compareTexts(transaction_uuid, settled_uuid),
  fiat_currency: ({ from_currency }, { fiat_currency }) =>
    compareTexts(from_currency?.toUpperCase() ?? null, fiat_currency.toUpperCase()),
  paid_amount: ({ from_amount }, { amount }) => comparePaid(from_amount, amount),
} as const satisfies Record<string, (purchase: Purchase, session: Session) => Comparison>

/** Whether a settled purchase fits its session. What either does not say is not different. */
export const fitsSession = (purchase: Purchase, session: Session): boolean =>
  agrees(...Object.values(CHECKS).map((check) => check(purchase, session)))

/**
 * Whether a purchase uses its session up: it succeeded, and an event of it names the user. Coins that go to the user's
 * own wallet are credited to nobody.
 */
export const settles = (
  { status, user_reference_id }: Pick<Fact, 'status' | 'user_reference_id'>,
  { wallet_address }: OnrampRow,
): boolean => status === 'succeeded' && user_reference_id !== null && (wallet_address ?? null) === null

/** The purchase's session, if these facts settle it but do not fit. */
function misfit(unit: UnitOfWork, facts: readonly Fact[]): OnrampRow | null {
  if (facts.length === 0) return null
  const purchase = fold(facts)
  const session = sessionOf(unit, purchase)
  return session !== null && settles(purchase, session) && !fitsSession(purchase, session) ? session : null
}

const ADDS: readonly FactClass[] = ['new', 'confirms', 'completes']

/**
 * Whether this event would settle a purchase that does not fit its session (docs/explanation/money.md, "Whose event it
 * is"): it books nothing until a person applies it. What is known of the purchase already was accepted before.
 */
export function isImplausible(unit: UnitOfWork, fact: Fact): boolean {
  if (fact.kind !== 'onramp') return false
  const stored = unit.facts(fact.kind, fact.transaction_uuid)
  return (
    ADDS.includes(classifyFact(fact, stored)) &&
    misfit(unit, [...stored, fact]) !== null &&
    misfit(unit, stored) === null
  )
}
