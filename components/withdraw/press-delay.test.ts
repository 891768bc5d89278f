import { expect, test } from 'vitest'
import { ANSWER_DELAY_MS, isAnswer, NOTHING_ASKED, withEarlyPress, type PressTimes } from './press-delay.ts'

const SHOWN_MS = 10_000
const shown: PressTimes = { ...NOTHING_ASKED, shownMs: SHOWN_MS }

test('without a question, each press counts', () => {
  expect(isAnswer(NOTHING_ASKED, 0)).toBe(true)
})

test.each([
  ['before the question was shown', shown, SHOWN_MS - 1, false],
  ['long ago, before the question was shown', { ...shown, shownMs: Infinity }, SHOWN_MS * 100, false],
  ['just before the delay is over', shown, SHOWN_MS + ANSWER_DELAY_MS - 1, false],
  ['when the delay is over', shown, SHOWN_MS + ANSWER_DELAY_MS, true],
])('a press that was made %s', (_when, times, pressedMs, counts) => {
  expect(isAnswer(times, pressedMs)).toBe(counts)
})

test('presses in quick succession never answer; the first press after a pause does', () => {
  let times = shown
  let pressedMs = SHOWN_MS
  for (let nth = 0; nth < 100; nth += 1) {
    pressedMs += ANSWER_DELAY_MS - 1
    expect(isAnswer(times, pressedMs)).toBe(false)
    times = withEarlyPress(times, pressedMs)
  }
  expect(isAnswer(times, pressedMs + ANSWER_DELAY_MS)).toBe(true)
})

test('presses handled out of order: the latest press counts', () => {
  const times = withEarlyPress(withEarlyPress(shown, SHOWN_MS + 1000), SHOWN_MS + 200)
  expect(isAnswer(times, SHOWN_MS + 1000 + ANSWER_DELAY_MS - 1)).toBe(false)
})
