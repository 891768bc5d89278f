import { expect, test } from 'vitest'
import { FAULT_NAMES, planRounds } from './plan.ts'

test('a seed gives the same rounds each time, another seed others', () => {
  expect(planRounds('1', 20)).toEqual(planRounds('1', 20))
  expect(planRounds('1', 20)).not.toEqual(planRounds('2', 20))
})

test('each group of rounds has every fault once', () => {
  const rounds = planRounds('7', 20)
  expect(rounds.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_item, at) => at + 1))
  for (let from = 0; from < 20; from += FAULT_NAMES.length) {
    const group = rounds.slice(from, from + FAULT_NAMES.length).map(({ fault }) => fault)
    expect(group.sort()).toEqual([...FAULT_NAMES].sort())
  }
})

test('a number of rounds that is no multiple of the faults, and named faults only', () => {
  expect(planRounds('1', 7)).toHaveLength(7)
  expect(new Set(planRounds('1', 6, ['kill', 'cut']).map(({ fault }) => fault))).toEqual(new Set(['kill', 'cut']))
})
