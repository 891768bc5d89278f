import { useEffect, useRef, useState } from 'react'

/**
 * Times of presses and of the question, in milliseconds of the page's clock (`performance.now()`, `event.timeStamp`).
 */
export interface PressTimes {
  /** When the page began to show the question that a press would answer; `Infinity`: not yet. */
  readonly shownMs: number
  /** When the last press that was too early was made. */
  readonly earlyMs: number
}

/** There is no question: each press counts. */
export const NOTHING_ASKED: PressTimes = { shownMs: -Infinity, earlyMs: -Infinity }

/** How long a question must be on the screen without a press before a press answers it. */
export const ANSWER_DELAY_MS = 1500

/** Whether a press was made late enough. A busy page may handle it long after that. */
export const isAnswer = ({ shownMs, earlyMs }: PressTimes, pressedMs: number): boolean =>
  pressedMs - Math.max(shownMs, earlyMs) >= ANSWER_DELAY_MS

export const withEarlyPress = (times: PressTimes, pressedMs: number): PressTimes => ({
  ...times,
  earlyMs: Math.max(times.earlyMs, pressedMs),
})

/** A timer may end a moment early, and browsers round the times of events. */
const TIMER_ERROR_MS = 20

export interface PressDelay {
  /** The button accepts no press: show it as busy. */
  readonly waiting: boolean
  /** Call it with a new question. Presses made before it was shown, or in quick succession, do not answer it. */
  readonly begin: () => void
  /** Whether a press counts; `pressedMs` is the time of its event. If it does not, the delay starts again. */
  readonly take: (pressedMs: number) => boolean
}

/** Keeps a burst of presses from answering a question that appears meanwhile, also on a page that handles them late. */
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
    // The second frame begins when the first one, with the question, is on the screen.
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
