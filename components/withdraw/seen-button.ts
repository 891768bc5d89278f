import { useEffect, useRef, useState, type RefObject } from 'react'

/** IntersectionObserver v2, where the browser has it: whether nothing lies over the element and it is not see-through. */
type WatchOptions = IntersectionObserverInit & { readonly trackVisibility: boolean; readonly delay: number }

/** A button that is not wholly on the screen is not visible either, and not covered. */
const isCovered = (entry: IntersectionObserverEntry): boolean =>
  entry.intersectionRatio >= 1 && 'isVisible' in entry && entry.isVisible === false

/** How long a press on a covered button is put off. */
const WAIT_MS = 1500

export interface SeenButton {
  readonly ref: RefObject<HTMLButtonElement | null>
  /** A press came while something lay over the button: say so, and wait. */
  readonly warned: boolean
  readonly waiting: boolean
  /** True where the press may count. A press that comes after the warning does, covered or not. */
  readonly admit: () => boolean
}

/**
 * Guards a button that moves money against a page that lays something over it. It only ever puts a press off once:
 * a merchant's dialog that is still moving must not lock anybody out.
 */
export function useSeenButton(): SeenButton {
  const ref = useRef<HTMLButtonElement>(null)
  const covered = useRef(false)
  const [warned, setWarned] = useState(false)
  const [waiting, setWaiting] = useState(false)

  useEffect(() => {
    const button = ref.current
    if (!button || !('IntersectionObserverEntry' in window) || !('isVisible' in IntersectionObserverEntry.prototype))
      return undefined
    const options: WatchOptions = { threshold: [0, 1], trackVisibility: true, delay: 100 }
    const observer = new IntersectionObserver((entries) => {
      const last = entries.at(-1)
      if (last) covered.current = isCovered(last)
    }, options)
    observer.observe(button)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    if (!waiting) return undefined
    const timer = setTimeout(() => setWaiting(false), WAIT_MS)
    return () => clearTimeout(timer)
  }, [waiting])

  const admit = (): boolean => {
    if (waiting) return false
    if (!covered.current || warned) return true
    setWarned(true)
    setWaiting(true)
    return false
  }
  return { ref, warned, waiting, admit }
}
