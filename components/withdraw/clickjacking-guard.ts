import { useEffect, useRef, useState, type RefObject } from 'react'
import type { PressDelay } from './press-delay.ts'

/** Options of IntersectionObserver v2, which reports whether an element is covered or transparent. Not in every browser. */
type VisibilityOptions = IntersectionObserverInit & { readonly trackVisibility: boolean; readonly delay: number }

/**
 * In a frame a press is honest only where the whole button is on the screen and nothing lies over it: a part that is cut
 * off may be hidden on purpose.
 */
const isCovered = (entry: IntersectionObserverEntry): boolean =>
  entry.intersectionRatio < 1 || ('isVisible' in entry && entry.isVisible === false)

/** In a frame, where the browser reports what covers an element. */
export const reportsCovers = (): boolean =>
  window.parent !== window &&
  'IntersectionObserverEntry' in window &&
  'isVisible' in IntersectionObserverEntry.prototype

export interface ClickjackingGuard {
  readonly ref: RefObject<HTMLButtonElement | null>
  /** The button was pressed while covered or cut off: show the warning. */
  readonly warned: boolean
  /** True where a press counts that was made at this time of its event. After the warning it counts, covered or not. */
  readonly acceptPress: (pressedMs: number) => boolean
}

/**
 * Protects a button that moves money from clickjacking: a press while the button is covered or not wholly on the screen
 * only shows a warning and brings the button into view. The next press after a delay counts, so that a moving dialog on
 * the merchant's page cannot lock a user out. Firefox and Safari do not report what covers a button: there every press
 * counts. At top level no other site can cover one, and a busy browser reports some that are not.
 */
export function useClickjackingGuard(delay: PressDelay): ClickjackingGuard {
  const ref = useRef<HTMLButtonElement>(null)
  const covered = useRef(false)
  const [warned, setWarned] = useState(false)

  useEffect(() => {
    const button = ref.current
    if (!button || !reportsCovers()) return undefined
    const options: VisibilityOptions = { threshold: [0, 1], trackVisibility: true, delay: 100 }
    const observer = new IntersectionObserver((entries) => {
      const last = entries.at(-1)
      if (last) covered.current = isCovered(last)
    }, options)
    observer.observe(button)
    return () => observer.disconnect()
  }, [])

  const acceptPress = (pressedMs: number): boolean => {
    if (!delay.take(pressedMs)) return false
    if (!covered.current || warned) return true
    setWarned(true)
    ref.current?.scrollIntoView({ block: 'nearest' })
    delay.begin()
    return false
  }
  return { ref, warned, acceptPress }
}
