import { useEffect, useEffectEvent, type RefObject } from 'react'
import { focusField } from '#components/ui/focus.ts'
import { useAddress } from '../context/address.tsx'

/** Where letters are typed, or a key has a meaning of its own. */
const TYPED =
  'input:not([type=checkbox]), select, textarea, [contenteditable], [role=menu], [role=listbox], [role=dialog]'
const PRESSED = 'a, button, summary'

/**
 * Keys of the rows (`data-row`) in `body`: `j` and `k` move the focus to the next and the previous row, Enter opens the
 * row's page (`data-href`), `x` presses its checkbox.
 */
export function useRowKeys(body: RefObject<HTMLElement | null>): void {
  const { go } = useAddress()
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    const { target, key } = event
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
    if (!(target instanceof HTMLElement) || target.closest(TYPED) !== null) return
    if (document.querySelector('[data-dialog]') !== null) return
    const rows = [...(body.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const row = target.closest<HTMLElement>('[data-row]')
    const at = row === null ? -1 : rows.indexOf(row)
    if (key === 'j' || key === 'k') {
      const next = rows[key === 'j' ? at + 1 : Math.max(at - 1, 0)]
      if (next === undefined) return
      event.preventDefault()
      focusField(next)
    } else if (at >= 0 && key === 'x') {
      event.preventDefault()
      row?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click()
    } else if (at >= 0 && key === 'Enter' && target.closest(PRESSED) === null) {
      const href = row?.dataset['href']
      if (href !== undefined) go(href)
    }
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
