'use client'

import { useState, type Ref } from 'react'
import type { AddressCheck } from '#lib/addresses/index.ts'
import { useTranslations } from '../context/translations.tsx'
import { Button } from '../ui/button.tsx'
import { Field, fieldInput } from '../ui/field.tsx'
import { useMayPaste } from '../ui/permitted.ts'

/** Input for an address, with the result of its check. */
export function AddressField({
  id,
  label,
  typed,
  check,
  network,
  fault,
  inputRef,
  onType,
  onBlur,
}: {
  readonly id: string
  readonly label: string
  readonly typed: string
  /** Null while not checked. */
  readonly check: AddressCheck | null
  readonly network: string
  readonly fault: string | null
  readonly inputRef: Ref<HTMLTextAreaElement>
  readonly onType: (text: string) => void
  readonly onBlur: () => void
}) {
  const { t } = useTranslations()
  const mayPaste = useMayPaste()
  const [blocked, setBlocked] = useState(false)
  const type = (text: string): void => {
    setBlocked(false)
    onType(text)
  }
  const paste = (): void => {
    navigator.clipboard.readText().then(
      (text) => type(text.trim()),
      () => setBlocked(true),
    )
  }
  const refused = blocked ? t('withdraw.pasteBlocked') : null
  const hint =
    refused ??
    (check?.ok
      ? t(check.checked === 'full' ? 'withdraw.address.fits' : 'withdraw.address.unchecked', { network })
      : null)
  return (
    <Field id={id} label={label} fault={fault !== null && refused !== null ? `${fault} ${refused}` : fault} hint={hint}>
      <textarea
        id={id}
        ref={inputRef}
        dir="ltr"
        rows={2}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="done"
        value={typed}
        onChange={(event) => type(event.target.value.replace(/[\r\n]/g, ''))}
        onBlur={onBlur}
        aria-invalid={fault !== null}
        aria-describedby={`${id}-note`}
        className={`${fieldInput} field-sizing-content min-h-[calc(2lh+0.5rem)] resize-none py-1 font-mono break-all`}
      />
      {mayPaste && (
        <Button variant="chip" onClick={paste}>
          {t('withdraw.paste')}
        </Button>
      )}
    </Field>
  )
}
