import { useEffect, useRef, useState } from 'react'

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

/** A timer may end a moment early, and browsers round the times of events. */
const TIMER_ERROR_MS = 20

export interface PressDelay {
  /** The button takes no press: show it as busy. */
  readonly waiting: boolean
  /** Something is asked now: presses from before it was shown, and those that follow one another, do not answer it. */
  readonly begin: () => void
  /** Whether a press counts that was made at this time of its event; if not, the delay starts anew. */
  readonly take: (pressedMs: number) => boolean
}

/** Keeps a burst of presses from answering a question that appears under it, also on a page that handles them late. */
export function usePressDelay(): PressDelay {
  const times = useRef(NOTHING_ASKED)
  const [waits, setWaits] = useState(0)
  const wait = (): void => setWaits((count) => count + 1)

  useEffect(() => {
    if (waits === 0) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const shown = (): void => {
      times.current = { ...times.current, shownMs: Math.min(times.current.shownMs, performance.now()) }
      timer = setTimeout(() => setWaits(0), ANSWER_DELAY_MS + TIMER_ERROR_MS)
    }
    // The second frame begins when the first one, with what is asked, is on the screen.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(shown)
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [waits])

  return {
    waiting: waits > 0,
    begin: () => {
      times.current = { ...times.current, shownMs: Infinity }
      wait()
    },
    take: (pressedMs) => {
      if (isAnswer(times.current, pressedMs)) return true
      times.current = withEarlyPress(times.current, pressedMs)
      wait()
      return false
    },
  }
}
