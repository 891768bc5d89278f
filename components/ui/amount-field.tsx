'use client'

import type { ReactNode, Ref } from 'react'
import type { TypedAmount } from '#lib/i18n/typed-amount.ts'
import { useTranslations } from '../context/translations.tsx'
import { Button } from './button.tsx'
import { Field, fieldInput } from './field.tsx'

/** Input for an amount. The typed text is never changed; if it has two readings, the field asks which one is meant. */
export function AmountField({
  id,
  label,
  typed,
  read,
  fault,
  hint,
  unit,
  inputRef,
  describedBy,
  onType,
}: {
  readonly id: string
  readonly label: string
  readonly typed: string
  readonly read: TypedAmount
  /** Error message; null for none. */
  readonly fault: string | null
  readonly hint?: ReactNode
  /** After the number: the currency, or a control to change it. */
  readonly unit: ReactNode
  readonly inputRef?: Ref<HTMLInputElement>
  /** The id of more text about it. */
  readonly describedBy?: string
  readonly onType: (text: string) => void
}) {
  const { t } = useTranslations()
  const isAmbiguous = read.state === 'ambiguous'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <Field id={id} label={label} fault={isAmbiguous ? t('amount.ambiguous') : fault} hint={hint}>
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
          aria-invalid={fault !== null || isAmbiguous}
          aria-describedby={describedBy === undefined ? `${id}-note` : `${id}-note ${describedBy}`}
          className={`${fieldInput} text-2xl font-semibold tracking-tight tabular-nums`}
        />
        {unit}
      </Field>
      {isAmbiguous && (
        <div className="flex flex-wrap gap-2" role="group" aria-label={t('amount.ambiguous')}>
          {[read.whole, read.fractional].map((reading) => (
            <Button key={reading} variant="chip" onClick={() => onType(reading)}>
              <bdi dir="ltr">{reading}</bdi>
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
