'use client'

import { useState, type Ref } from 'react'
import type { AddressCheck } from '#lib/addresses/index.ts'
import { useWords } from '../shell/words.tsx'
import { Button } from '../ui/button.tsx'
import { Field, fieldInput } from '../ui/field.tsx'

/** The destination, pasted or typed, with a word on whether it fits the network. */
export function AddressField({
  typed,
  check,
  network,
  fault,
  inputRef,
  onType,
  onLeave,
}: {
  readonly typed: string
  /** Null while there is nothing to say yet. */
  readonly check: AddressCheck | null
  readonly network: string
  readonly fault: string | null
  readonly inputRef: Ref<HTMLTextAreaElement>
  readonly onType: (text: string) => void
  readonly onLeave: () => void
}) {
  const { t } = useWords()
  const [blocked, setBlocked] = useState(false)
  const paste = (): void => {
    const refused = (): void => setBlocked(true)
    // Older browsers have no clipboard to read, whatever the types say.
    const clipboard = navigator.clipboard as Clipboard | undefined
    if (clipboard?.readText === undefined) {
      refused()
      return
    }
    clipboard.readText().then((text) => {
      setBlocked(false)
      onType(text.trim())
    }, refused)
  }
  const hint = blocked
    ? t('withdraw.pasteBlocked')
    : check?.ok
      ? t(check.checked === 'full' ? 'withdraw.address.fits' : 'withdraw.address.unchecked', { network })
      : null
  return (
    <Field id="withdraw-address" label={t('withdraw.to')} fault={fault} hint={hint}>
      <textarea
        id="withdraw-address"
        ref={inputRef}
        dir="ltr"
        rows={2}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="done"
        value={typed}
        onChange={(event) => onType(event.target.value.replace(/[\r\n]/g, ''))}
        onBlur={onLeave}
        aria-invalid={fault !== null}
        aria-describedby="withdraw-address-note"
        className={`${fieldInput} resize-none py-1 font-mono text-s break-all`}
      />
      <Button look="chip" onClick={paste}>
        {t('withdraw.paste')}
      </Button>
    </Field>
  )
}
