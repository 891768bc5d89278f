import { useEffect, useState } from 'react'
import { reportsCovers } from './clickjacking-guard.ts'

/** Chromium's 500 ms, and a reserve for a size that a busy machine reports late. */
const STEADY_AFTER_MS = 650

/**
 * Whether presses reach the page. Chromium silently drops presses on a frame of another site that watches for covers,
 * until the frame's size and place have not changed for half a second. The page sees only changes of its size. Its
 * first moment counts as a change, because new content usually changes the height.
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
