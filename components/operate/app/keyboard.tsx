'use client'

import { lazy, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { focusField } from '#components/ui/focus.ts'
import { keyCommand } from '#lib/browser/operate/key-commands.ts'
import { moveRowFocus } from '#lib/browser/operate/row-focus.ts'
import { useAddress } from '../context/address.tsx'
import { pageHref } from '../context/page-links.ts'
import { LazyDialog } from './lazy-dialog.tsx'
import { useMenuPages } from './use-menu-pages.ts'

const Palette = lazy(() => import('./palette.tsx'))
const KeysDialog = lazy(() => import('./keys-dialog.tsx'))

/** How long after `g` a letter goes to a page. */
const LETTER_MS = 1500

const hasDialog = (): boolean => document.querySelector('[data-dialog]') !== null

/** True while keys are for something else: a field, or a dialog. */
const isTyping = (target: EventTarget | null): boolean =>
  hasDialog() ||
  (target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [role="combobox"], [role="listbox"] *')))

/** What is typed before the palette has come: its field has no focus yet. */
const isTyped = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey

/** The search field of the page, if it has one. */
const searchField = (): HTMLElement | null => document.querySelector('main [data-search]')

/** The console's keys, the list of them, and the palette. */
export function useKeyboard() {
  const { go } = useAddress()
  const pages = useMenuPages()
  const [shown, setShown] = useState<'palette' | 'keys' | null>(null)
  const [query, setQuery] = useState('')
  const lastG = useRef(-Infinity)

  const showPalette = (): void => {
    setQuery('')
    setShown('palette')
  }

  const search = (): void => {
    const field = searchField()
    if (field === null) showPalette()
    else focusField(field)
  }
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return
    if (shown === 'palette' && !hasDialog() && (isTyped(event) || event.key === 'Escape')) {
      if (event.key === 'Escape') setShown(null)
      else setQuery((before) => before + event.key)
      event.preventDefault()
      return
    }
    const command = keyCommand(event, isTyping(event.target), event.timeStamp - lastG.current < LETTER_MS)
    lastG.current = command?.kind === 'wait-for-letter' ? event.timeStamp : -Infinity
    // No palette above another dialog.
    if (command === null || (command.kind === 'palette' && shown === null && hasDialog())) return
    if (command.kind === 'page') {
      const page = pages.find(({ menu }) => menu?.letter === command.letter)
      if (page === undefined) return
      go(pageHref(page.path))
    } else if (command.kind === 'search') search()
    else if (command.kind === 'palette')
      if (shown === 'palette') setShown(null)
      else showPalette()
    else if (command.kind === 'keys') setShown('keys')
    else if (command.kind !== 'wait-for-letter')
      moveRowFocus(document, document.activeElement, command.kind === 'next-row' ? 1 : -1)
    event.preventDefault()
  })
  // Before the page is painted: what is seen reacts to keys.
  useLayoutEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])

  const close = (): void => setShown(null)
  return {
    search,
    showKeys: () => setShown('keys'),
    dialogs: (
      <>
        <LazyDialog wanted={shown === 'palette'}>
          <Palette open={shown === 'palette'} query={query} onQuery={setQuery} onClose={close} />
        </LazyDialog>
        <LazyDialog wanted={shown === 'keys'}>
          <KeysDialog open={shown === 'keys'} onClose={close} />
        </LazyDialog>
      </>
    ),
  }
}
