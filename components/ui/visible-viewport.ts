'use client'

import { useLayoutEffect, useState } from 'react'

/** Minimum height of a dialog in a frame of which less is on the screen. No more than a phone on its side shows. */
const MIN_HEIGHT_PX = 240
const STEPS = Array.from({ length: 41 }, (_step, index) => index / 40)

type Show = (top: number, height: number) => void

/**
 * While mounted, sets `--visible-top` and `--visible-height` to the part of the page that is on the screen: at top level
 * what no keyboard covers, in a frame what was visible at first, and less of it where the screen becomes lower.
 * @returns whether they are known yet; a frame is told a moment later
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
    // A user who zooms in looks at a part of the dialog.
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

/** A frame is as tall as its content, so its own viewport does not help; an intersection is clipped by all frames around it. */
function watchFrame(show: Show): () => void {
  const root = document.documentElement
  let top: number | null = null
  let height = 0
  const observer = new IntersectionObserver(
    (entries) => {
      const rect = entries.at(-1)?.intersectionRect
      if (!rect) return
      // Opened with a keyboard while the frame is off the screen: it begins at its start.
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
