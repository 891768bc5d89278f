import { Chance } from '../../simulation/random.ts'

/** What may happen to the primary. */
export const FAULT_NAMES = ['kill', 'frozen', 'cut', 'apart', 'switchover'] as const
export type FaultName = (typeof FAULT_NAMES)[number]

export interface Round {
  readonly number: number
  readonly fault: FaultName
  /** How long the load runs undisturbed before the fault. */
  readonly calmMs: number
}

/** Rounds from a seed: in each group of five every fault once, in any order. */
export function planRounds(seed: string, rounds: number, faults: readonly FaultName[] = FAULT_NAMES): readonly Round[] {
  const chance = new Chance(seed)
  const planned: Round[] = []
  while (planned.length < rounds) {
    const left = [...faults]
    while (left.length > 0 && planned.length < rounds) {
      const fault = chance.pick(left)
      left.splice(left.indexOf(fault), 1)
      planned.push({ number: planned.length + 1, fault, calmMs: chance.between(3000, 6000) })
    }
  }
  return planned
}
