'use client'

import type { ReactNode, Ref } from 'react'
import type { TypedAmount } from '#lib/i18n/typed-amount.ts'
import { useWords } from '../shell/words.tsx'
import { Button } from './button.tsx'
import { Field, fieldInput } from './field.tsx'

/** A field for money as people type it. What was typed is never changed; what can be read in two ways is asked about. */
export function AmountField({
  id,
  label,
  typed,
  read,
  fault,
  hint,
  unit,
  inputRef,
  onType,
}: {
  readonly id: string
  readonly label: string
  readonly typed: string
  readonly read: TypedAmount
  /** What is wrong, in words; null while there is nothing to say. */
  readonly fault: string | null
  readonly hint?: ReactNode
  /** What stands behind the number: the currency, or what changes it. */
  readonly unit: ReactNode
  readonly inputRef?: Ref<HTMLInputElement>
  readonly onType: (text: string) => void
}) {
  const { t } = useWords()
  const asks = read.state === 'ambiguous'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <Field id={id} label={label} fault={asks ? t('amount.ambiguous') : fault} hint={hint}>
        <input
          id={id}
          ref={inputRef}
          dir="ltr"
          inputMode="decimal"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="next"
          placeholder="0"
          value={typed}
          onChange={(event) => onType(event.target.value)}
          aria-invalid={fault !== null || asks}
          aria-describedby={`${id}-note`}
          className={`${fieldInput} text-2xl font-semibold tracking-tight tabular-nums`}
        />
        {unit}
      </Field>
      {asks && (
        <div className="flex flex-wrap gap-2" role="group" aria-label={t('amount.ambiguous')}>
          {[read.whole, read.fractional].map((reading) => (
            <Button key={reading} look="chip" onClick={() => onType(reading)}>
              <bdi dir="ltr">{reading}</bdi>
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
