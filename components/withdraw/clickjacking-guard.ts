import { useEffect, useRef, useState, type RefObject } from 'react'

/** Options of IntersectionObserver v2, which reports whether an element is covered or transparent. Not in every browser. */
type VisibilityOptions = IntersectionObserverInit & { readonly trackVisibility: boolean; readonly delay: number }

/**
 * In a frame a press is honest only where the whole button is on the screen and nothing lies over it: a part that is cut
 * off may be hidden on purpose.
 */
const isCovered = (entry: IntersectionObserverEntry): boolean =>
  entry.intersectionRatio < 1 || ('isVisible' in entry && entry.isVisible === false)

/** Delay after a press on a covered button. */
const DELAY_MS = 1500

/** In a frame, where the browser reports what covers an element. */
export const reportsCovers = (): boolean =>
  window.parent !== window &&
  'IntersectionObserverEntry' in window &&
  'isVisible' in IntersectionObserverEntry.prototype

export interface ClickjackingGuard {
  readonly ref: RefObject<HTMLButtonElement | null>
  /** The button was pressed while covered or cut off: show the warning. */
  readonly warned: boolean
  /** For a moment after the warning the button takes no press. */
  readonly waiting: boolean
  /** True where the press counts. After the warning it counts, covered or not. */
  readonly acceptPress: () => boolean
  /** Starts that moment, or starts it anew. */
  readonly wait: () => void
}

/**
 * Protects a button that moves money from clickjacking: a press while the button is covered or not wholly on the screen
 * only shows a warning and brings the button into view. The next press counts, so that a moving dialog on the merchant's
 * page cannot lock a user out. Firefox and Safari do not report what covers a button: there every press counts. At top
 * level no other site can cover one, and a busy browser reports some that are not.
 */
export function useClickjackingGuard(): ClickjackingGuard {
  const ref = useRef<HTMLButtonElement>(null)
  const covered = useRef(false)
  const [warned, setWarned] = useState(false)
  const [waits, setWaits] = useState(0)
  const waiting = waits > 0
  const wait = (): void => setWaits((count) => count + 1)

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

  useEffect(() => {
    if (waits === 0) return undefined
    const timer = setTimeout(() => setWaits(0), DELAY_MS)
    return () => clearTimeout(timer)
  }, [waits])

  const acceptPress = (): boolean => {
    if (waiting) return false
    if (!covered.current || warned) return true
    setWarned(true)
    ref.current?.scrollIntoView({ block: 'nearest' })
    wait()
    return false
  }
  return { ref, warned, waiting, acceptPress, wait }
}
