'use client'

import { useLayoutEffect, useState } from 'react'

/** Minimum height of a dialog if less of the frame is on the screen. A phone in landscape shows at least this much. */
const MIN_HEIGHT_PX = 240
const STEPS = Array.from({ length: 41 }, (_step, index) => index / 40)

type Show = (top: number, height: number) => void

/**
 * While mounted, sets `--visible-top` and `--visible-height` to the part of the page that is on the screen: outside a
 * frame the part that no keyboard covers, in a frame the part that was visible at first, or less if the screen gets lower.
 * @returns whether both are known yet; a frame learns them a moment later
 */
export function useVisibleViewport(): boolean {
  const [known, setKnown] = useState(false)
  useLayoutEffect(() => {
    const { style } = document.documentElement
    const show: Show = (top, height) => {
      style.setProperty('--visible-top', `${top}px`)
      style.setProperty('--visible-height', `${height}px`)
      setKnown(true)
    }
    const stop = window.parent === window ? followScreen(show) : watchFrame(show)
    return () => {
      stop()
      for (const name of ['--visible-top', '--visible-height']) style.removeProperty(name)
    }
  }, [])
  return known
}

function followScreen(show: Show): () => void {
  const view = window.visualViewport
  const follow = (): void => {
    // Not while the user zooms in to a part of the dialog.
    if (view && view.scale <= 1.01) show(view.pageTop, view.height)
  }
  show(scrollY, innerHeight)
  follow()
  view?.addEventListener('resize', follow)
  view?.addEventListener('scroll', follow)
  return () => {
    view?.removeEventListener('resize', follow)
    view?.removeEventListener('scroll', follow)
  }
}

/** A frame is as tall as its content, so its own viewport does not help. All frames around it clip an intersection. */
function watchFrame(show: Show): () => void {
  const root = document.documentElement
  let top: number | null = null
  let height = 0
  const observer = new IntersectionObserver(
    (entries) => {
      const rect = entries.at(-1)?.intersectionRect
      if (!rect) return
      // If a keyboard opened the dialog while the frame is off the screen, the dialog starts at the frame's start.
      top ??= Math.max(0, Math.min(rect.top + scrollY, root.scrollHeight - MIN_HEIGHT_PX))
      // Cut at both ends, the frame shows as much as the screen has; at one of its ends it may show less.
      const fillsScreen = rect.height > 0 && rect.top + scrollY > 0 && rect.bottom + scrollY < root.scrollHeight - 1
      height = fillsScreen ? rect.height : Math.max(height, MIN_HEIGHT_PX, rect.height)
      show(top, height)
    },
    { threshold: STEPS },
  )
  observer.observe(root)
  return () => observer.disconnect()
}
