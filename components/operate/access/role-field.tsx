'use client'

import { useId } from 'react'
import { OPERATOR_ROLES, type OperatorRole } from '#lib/contract/operate/operators.ts'
import { useConsoleText } from '../context/texts.tsx'

/** The roles with what each may do. */
export function RoleField({
  value,
  onChange,
}: {
  readonly value: OperatorRole
  readonly onChange: (role: OperatorRole) => void
}) {
  const { t } = useConsoleText()
  const name = useId()
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-s font-semibold">{t('operators.role')}</legend>
      {OPERATOR_ROLES.map((role) => (
        <label
          key={role}
          className="flex min-h-11 items-start gap-3 rounded-small border border-line px-3.5 py-2 has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type="radio"
            name={name}
            value={role}
            checked={role === value}
            className="mt-1 accent-(--accent)"
            onChange={() => onChange(role)}
          />
          <span className="min-w-0">
            <b className="block font-semibold">{t(`role.${role}`)}</b>
            <span className="block text-s text-ink-2">{t(`operators.${role}May`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
