'use client'

import { useLayoutEffect } from 'react'

/** Minimum height of a dialog; the page grows to it (`globals.css`, `data-dialog`). */
const MIN_HEIGHT_PX = 480
const STEPS = Array.from({ length: 41 }, (_, index) => index / 40)

/**
 * While mounted, sets `--visible-top` and `--visible-height` to the part of the page that is on the screen at first. A frame
 * is as tall as its content, so its own viewport does not help; an intersection is clipped by all frames around it.
 */
export function useVisibleViewport(): void {
  useLayoutEffect(() => {
    const root = document.documentElement
    let top: number | null = null
    let height = 0
    const show = (): void => {
      root.style.setProperty('--visible-top', `${top ?? 0}px`)
      root.style.setProperty('--visible-height', `${height}px`)
      root.style.setProperty('--visible-known', '1')
    }
    if (window.parent === window) {
      top = scrollY
      height = innerHeight
      show()
    }
    const observer = new IntersectionObserver(
      (entries) => {
        const rect = entries.at(-1)?.intersectionRect
        if (!rect || rect.height === 0) return
        top ??= Math.max(0, Math.min(rect.top + scrollY, root.scrollHeight - MIN_HEIGHT_PX))
        height = Math.max(height, MIN_HEIGHT_PX, rect.height)
        show()
      },
      { threshold: STEPS },
    )
    observer.observe(root)
    return () => {
      observer.disconnect()
      for (const name of ['--visible-top', '--visible-height', '--visible-known']) root.style.removeProperty(name)
    }
  }, [])
}
