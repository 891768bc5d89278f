'use client'

import { useEffect } from 'react'
import { focusStart } from '#components/ui/focus.ts'

/** Of a page; a page that is being loaded has none. */
const findHeading = (): HTMLElement | null => document.querySelector('main h1')

/**
 * Who works by keyboard never loses the focus: when the element that has it goes away, such as a row whose page opens or
 * a button after its act, the page's heading gets it.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let focused: Element | null = null
    const note = ({ target }: FocusEvent): void => {
      focused = target instanceof Element ? target : null
    }
    const forget = ({ target }: FocusEvent): void => {
      // A person has pressed beside it. An element that goes away is told of before it is gone.
      queueMicrotask(() => {
        if (focused === target && focused?.isConnected === true && document.activeElement !== focused) focused = null
      })
    }
    const keep = (): void => {
      if (focused === null || focused.isConnected || document.activeElement !== document.body) return
      const heading = findHeading()
      if (heading === null) return
      heading.tabIndex = -1
      focusStart(heading)
    }
    const changes = new MutationObserver(keep)
    changes.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', note)
    document.addEventListener('focusout', forget)
    return () => {
      changes.disconnect()
      document.removeEventListener('focusin', note)
      document.removeEventListener('focusout', forget)
    }
  }, [])
}
