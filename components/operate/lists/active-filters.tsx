'use client'

import X from 'lucide-react/icons/x'
import type { ListAddress } from '#lib/contract/operate/list-address.ts'
import { useConsoleText } from '../context/texts.tsx'
import type { FilterField } from './filter-fields.ts'

/** The filters that are set, each with a button that removes it. */
export function ActiveFilters({
  fields,
  state,
  onRemove,
}: {
  readonly fields: readonly FilterField[]
  readonly state: ListAddress
  readonly onRemove: (name: string) => void
}) {
  const { t } = useConsoleText()
  const valueOf = (field: FilterField, value: string): string =>
    field.kind === 'several'
      ? field.choices
          .filter((choice) => value.split(',').includes(choice.value))
          .map((choice) => t(choice.label))
          .join(', ')
      : value
  const active = fields.flatMap((field) => {
    const value = state[field.name]
    return value === undefined ? [] : [{ name: field.name, label: t(field.label), value: valueOf(field, value) }]
  })
  if (active.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-2" aria-label={t('filter.active')}>
      {active.map(({ name, label, value }) => (
        <li key={name} className="flex max-w-full items-center rounded-small bg-accent-soft ps-2.5 text-s">
          <span className="min-w-0 py-1 break-words">
            <span className="text-ink-2">{label}</span> <b className="font-semibold">{value}</b>
          </span>
          <button
            type="button"
            aria-label={t('filter.remove', { filter: label })}
            className="grid size-9 shrink-0 place-items-center rounded-small text-ink-2 hover:text-ink"
            onClick={() => onRemove(name)}
          >
            <X aria-hidden size={16} />
          </button>
        </li>
      ))}
    </ul>
  )
}
