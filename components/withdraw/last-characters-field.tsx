'use client'

import type { Ref } from 'react'
import { useTranslations } from '../context/translations.tsx'
import { Field, fieldInput } from '../ui/field.tsx'
import { LAST_CHARACTERS } from './last-characters.ts'

const ID = 'withdraw-last-characters'

/** Asks for the end of the address, which the page shows above the field. */
export function LastCharactersField({
  typed,
  wrong,
  disabled,
  inputRef,
  onType,
}: {
  readonly typed: string
  /** The user pressed Send, and the typed text is not the end of the address. */
  readonly wrong: boolean
  readonly disabled: boolean
  readonly inputRef: Ref<HTMLInputElement>
  readonly onType: (typed: string) => void
}) {
  const { t } = useTranslations()
  return (
    <Field
      id={ID}
      label={t('withdraw.check.last')}
      fault={wrong && t(typed === '' ? 'withdraw.check.lastMissing' : 'withdraw.check.lastFault')}
      hint={t('withdraw.check.lastHint')}
    >
      <input
        id={ID}
        ref={inputRef}
        dir="ltr"
        value={typed}
        maxLength={LAST_CHARACTERS}
        disabled={disabled}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="done"
        onChange={(event) => onType(event.target.value)}
        aria-invalid={wrong}
        aria-describedby={`${ID}-note`}
        className={`${fieldInput} font-mono`}
      />
    </Field>
  )
}
