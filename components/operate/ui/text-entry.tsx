'use client'

import { useId } from 'react'
import { Field, fieldInput } from '#components/ui/field.tsx'

/** One line of text with its label, and a hint or a fault below it. */
export function TextEntry({
  label,
  hint,
  fault,
  value,
  most,
  onChange,
}: {
  readonly label: string
  readonly hint?: string
  /** Null: none. */
  readonly fault: string | null
  readonly value: string
  /** The most characters. */
  readonly most: number
  readonly onChange: (value: string) => void
}) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} fault={fault}>
      <input
        id={id}
        className={fieldInput}
        value={value}
        maxLength={most}
        autoComplete="off"
        spellCheck={false}
        aria-describedby={`${id}-note`}
        aria-invalid={fault !== null}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}
