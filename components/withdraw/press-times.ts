/** Times of presses and of what they answer, in milliseconds of the page's clock (`performance.now()`, `event.timeStamp`). */
export interface PressTimes {
  /** Since when the page shows what a press would answer; `Infinity`: not yet. */
  readonly shownMs: number
  /** When the last press was made that was too early. */
  readonly earlyMs: number
}

/** Nothing was asked: each press counts. */
export const NOTHING_ASKED: PressTimes = { shownMs: -Infinity, earlyMs: -Infinity }

/** How long a question is on the screen, with no press, before one answers it. */
export const ANSWER_DELAY_MS = 1500

/** Whether a press was made late enough. It may be handled long after it was made: a busy page handles many at once. */
export const isAnswer = ({ shownMs, earlyMs }: PressTimes, pressedMs: number): boolean =>
  pressedMs - Math.max(shownMs, earlyMs) >= ANSWER_DELAY_MS

export const withEarlyPress = (times: PressTimes, pressedMs: number): PressTimes => ({
  ...times,
  earlyMs: Math.max(times.earlyMs, pressedMs),
})
