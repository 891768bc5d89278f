/** The deposits that the user waits for, on their way or credited, as one sum for each currency and network. */
import { add, canonical, isDecimal, isPositive, type Decimal } from '#lib/contract/money.ts'
import { ON_THE_WAY, type SessionDeposit } from './session-deposits.ts'

export interface Arrival {
  readonly code: string
  readonly network: string
  readonly amount: Decimal
}

export const onTheWay = (deposits: readonly SessionDeposit[]): readonly Arrival[] =>
  sums(deposits.filter(({ status }) => ON_THE_WAY.has(status)))

/** In the order of the first deposit of each currency. */
export function sums(deposits: readonly Pick<SessionDeposit, 'amount' | 'code' | 'network'>[]): readonly Arrival[] {
  const found = new Map<string, Arrival>()
  for (const { amount, code, network } of deposits) {
    if (!isDecimal(amount) || !isPositive(amount)) continue
    const key = JSON.stringify([code, network])
    const before = found.get(key)
    found.set(key, { code, network, amount: canonical(before ? add(before.amount, amount) : amount) })
  }
  return [...found.values()]
}
