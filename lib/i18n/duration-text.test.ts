import { expect, test } from 'vitest'
import { durationText } from './duration-text.ts'

test.each([
  [12, '10 seconds'],
  [3, '10 seconds'],
  [89, '90 seconds'],
  [90, '2 minutes'],
  [170, '3 minutes'],
  [5399, '90 minutes'],
  [5400, '2 hours'],
  [100_000, '28 hours'],
  [129_600, '2 days'],
])('%d s is %s', (seconds, text) => {
  expect(durationText(seconds, 'en')).toBe(text)
})

test('in other languages', () => {
  expect([durationText(180, 'de'), durationText(180, 'ru'), durationText(180, 'ar')]).toEqual([
    '3 Minuten',
    '3 минуты',
    '3 دقائق',
  ])
})
