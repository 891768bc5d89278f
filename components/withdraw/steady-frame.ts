import { useEffect, useState } from 'react'
import { reportsCovers } from './clickjacking-guard.ts'

/** Chromium's 500 ms, and some for a report of the size that comes late on a busy machine. */
const STEADY_AFTER_MS = 650

/**
 * Whether presses reach the page. Chromium drops those on a frame of another site that watches for covers until its size
 * and place have been the same for half a second, and tells nobody. The page sees changes of the size, and its first moments
 * count as one: what has just appeared is most often of another height than what was there before.
 */
export function useSteadyFrame(): boolean {
  const [drops] = useState(reportsCovers)
  const [steady, setSteady] = useState(!drops)
  useEffect(() => {
    if (!drops) return undefined
    const settle = () => setTimeout(() => setSteady(true), STEADY_AFTER_MS)
    let settling = settle()
    const changed = (): void => {
      setSteady(false)
      clearTimeout(settling)
      settling = settle()
    }
    addEventListener('resize', changed)
    return () => {
      clearTimeout(settling)
      removeEventListener('resize', changed)
    }
  }, [drops])
  return steady
}
