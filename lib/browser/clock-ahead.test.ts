import { expect, test } from 'vitest'
import { createClockAhead } from './clock-ahead.ts'

const AT = 'Fri, 20 Nov 2026 10:00:00 GMT'
const SERVER_MS = Date.parse(AT)

test('a change of the device’s clock is noticed by a response, a slow response is no change', () => {
  let clock = SERVER_MS + 5000
  const ahead = createClockAhead(5000, () => clock)
  clock += 20_000
  ahead.heard(AT)
  expect(ahead.ms()).toBe(5000)
  clock = SERVER_MS + 7_200_000
  ahead.heard(AT)
  expect(ahead.ms()).toBe(7_200_000)
  clock = SERVER_MS - 86_400_000
  ahead.heard(AT)
  expect(ahead.ms()).toBe(-86_400_000)
})

test.each([null, '', 'soon'])('without a date nothing changes: %j', (date) => {
  const ahead = createClockAhead(5000, () => SERVER_MS)
  ahead.heard(date)
  expect(ahead.ms()).toBe(5000)
})
