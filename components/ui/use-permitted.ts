'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'
import { isClipboardDenied, mayReadClipboard, mayShare, type PermittedOptions } from '#lib/browser/permitted.ts'

const subscribeToNothing = () => () => undefined

const here = (): PermittedOptions => ({ document, navigator }) as PermittedOptions

/** False also on the server: most computers cannot share. */
export const useMayShare = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => mayShare(here()),
    () => false,
  )

/** False if the browser says before the press that it will refuse. True on the server: most browsers allow it. */
export function useMayPaste(): boolean {
  const may = useSyncExternalStore(
    subscribeToNothing,
    () => mayReadClipboard(here()),
    () => true,
  )
  const [denied, setDenied] = useState(false)
  useEffect(() => {
    void isClipboardDenied(here()).then(setDenied)
  }, [])
  return may && !denied
}
