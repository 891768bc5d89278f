'use client'

import { useLayoutEffect } from 'react'

/** Lower than this no dialog is of use; the page grows to it (`globals.css`, `data-dialog`). */
const LOWEST_PX = 480
const STEPS = Array.from({ length: 41 }, (_, index) => index / 40)

/**
 * While mounted, says in `--seen-top` and `--seen-height` which part of the page was on the screen first. A frame is as
 * tall as its content, so its own viewport says nothing; but an intersection is clipped by all the frames around it.
 */
export function useSeenPart(): void {
  useLayoutEffect(() => {
    const root = document.documentElement
    let top: number | null = null
    let height = 0
    const show = (): void => {
      root.style.setProperty('--seen-top', `${top ?? 0}px`)
      root.style.setProperty('--seen-height', `${height}px`)
      root.style.setProperty('--seen-known', '1')
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
        top ??= Math.max(0, Math.min(rect.top + scrollY, root.scrollHeight - LOWEST_PX))
        height = Math.max(height, LOWEST_PX, rect.height)
        show()
      },
      { threshold: STEPS },
    )
    observer.observe(root)
    return () => {
      observer.disconnect()
      for (const name of ['--seen-top', '--seen-height', '--seen-known']) root.style.removeProperty(name)
    }
  }, [])
}
