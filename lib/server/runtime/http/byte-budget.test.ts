import { expect, test } from 'vitest'
import { byteBudget } from './byte-budget.ts'

test('released bytes are free again, once', () => {
  const budget = byteBudget({ most: 100, small: 10 })
  const [one, two] = [budget.meter(), budget.meter()]
  one.add(10)
  two.add(5)
  expect(budget.held()).toBe(15)
  one.release()
  one.release()
  expect(budget.held()).toBe(5)
  two.release()
  expect(budget.held()).toBe(0)
})

test('large bodies take at most half of the budget, small bodies all; refused bytes do not count', () => {
  const budget = byteBudget({ most: 100, small: 10 })
  const large = budget.meter()
  large.add(50)
  expect(() => large.add(1)).toThrow('Too many bodies')
  expect(budget.held()).toBe(50)
  for (let at = 0; at < 5; at += 1) budget.meter().add(10)
  expect(budget.held()).toBe(100)
  expect(() => budget.meter().add(1)).toThrow('Too many bodies')
})
