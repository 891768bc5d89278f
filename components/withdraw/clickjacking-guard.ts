import { useEffect, useRef, useState, type RefObject } from 'react'
import type { PressDelay } from './press-delay.ts'

/**
 * Options of IntersectionObserver v2, which reports whether an element is covered or transparent. Not in every browser.
 */
type VisibilityOptions = IntersectionObserverInit & { readonly trackVisibility: boolean; readonly delay: number }

/** A page scrolls by whole pixels, so a button scrolled to the edge may be cut by part of a pixel. */
const ALLOWED_CUT_PX = 1

/** Near 1, two neighbours differ by less than a pixel of a button: the browser reports when one is crossed. */
const THRESHOLDS = [0, 0.9, 0.95, 0.97, 0.98, 0.985, 0.99, 0.995, 1]

/**
 * In a frame a press counts only if the whole button is on the screen and nothing covers it: a part that is cut off may
 * be hidden on purpose.
 */
const isCovered = (entry: IntersectionObserverEntry): boolean => {
  const { boundingClientRect: whole, intersectionRect: shown } = entry
  const isCut = whole.height - shown.height >= ALLOWED_CUT_PX || whole.width - shown.width >= ALLOWED_CUT_PX
  return isCut || ('isVisible' in entry && entry.isVisible === false)
}

/** True in a frame, if the browser reports what covers an element. */
export const reportsCovers = (): boolean =>
  window.parent !== window &&
  'IntersectionObserverEntry' in window &&
  'isVisible' in IntersectionObserverEntry.prototype

export interface ClickjackingGuard {
  readonly ref: RefObject<HTMLButtonElement | null>
  /** The button was pressed while covered or cut off: show the warning. */
  readonly warned: boolean
  /** Whether a press counts. `pressedMs` is the time of its event. After the warning it counts even if covered. */
  readonly acceptPress: (pressedMs: number) => boolean
}

/**
 * Protects a button that moves money from clickjacking: a press while the button is covered or not wholly on the screen
 * only shows a warning and brings the button into view. The next press after a delay counts, so that a moving dialog on
 * the merchant's page cannot lock a user out. Firefox and Safari do not report what covers a button, so every press
 * counts there. Every press also counts outside a frame: no other site can cover the button, and a busy browser reports
 * covers that do not exist.
 */
export function useClickjackingGuard(delay: PressDelay): ClickjackingGuard {
  const ref = useRef<HTMLButtonElement>(null)
  const covered = useRef(false)
  const [warned, setWarned] = useState(false)

  useEffect(() => {
    const button = ref.current
    if (!button || !reportsCovers()) return undefined
    const options: VisibilityOptions = { threshold: THRESHOLDS, trackVisibility: true, delay: 100 }
    const observer = new IntersectionObserver((entries) => {
      const last = entries.at(-1)
      if (last) covered.current = isCovered(last)
    }, options)
    observer.observe(button)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    if (!warned) return undefined
    const show = (): void => ref.current?.scrollIntoView({ block: 'nearest' })
    show()
    // The warning makes the frame taller a moment later.
    addEventListener('resize', show, { once: true })
    return () => removeEventListener('resize', show)
  }, [warned])

  const acceptPress = (pressedMs: number): boolean => {
    if (!delay.take(pressedMs)) return false
    if (!covered.current || warned) return true
    setWarned(true)
    delay.begin()
    return false
  }
  return { ref, warned, acceptPress }
}
