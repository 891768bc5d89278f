'use client'

import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { knownCurrenciesQuery } from '#lib/browser/operate/lists.ts'
import type { ListAddress } from '#lib/contract/operate/list-address.ts'
import { useConsoleClient } from '../context/client.tsx'
import { useConsoleText } from '../context/texts.tsx'
import type { FilterField } from './filter-fields.ts'

/** The filters of a list as a form; they count when it is sent. */
export function FilterPanel({
  fields,
  state,
  onApply,
}: {
  readonly fields: readonly FilterField[]
  readonly state: ListAddress
  /** Gives every field; undefined: left out. */
  readonly onApply: (values: ListAddress) => void
}) {
  const { t } = useConsoleText()
  const [draft, setDraft] = useState(() => valuesOf(fields, state))
  const set = (name: string, value: string): void => setDraft((before) => ({ ...before, [name]: value }))
  return (
    <form
      className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4"
      onSubmit={(event) => {
        event.preventDefault()
        onApply(Object.fromEntries(Object.entries(draft).map(([name, value]) => [name, value?.trim() || undefined])))
      }}
    >
      {fields.map((field) =>
        field.kind === 'several' ? (
          <Choices key={field.name} field={field} value={draft[field.name] ?? ''} onChange={set} />
        ) : (
          <TextFilter key={field.name} field={field} value={draft[field.name] ?? ''} onChange={set} />
        ),
      )}
      <div className="flex flex-wrap gap-2 sm:col-span-full">
        <Button variant="primary" type="submit">
          {t('filter.apply')}
        </Button>
        <Button onClick={() => onApply(valuesOf(fields, {}))}>{t('filter.clear')}</Button>
      </div>
    </form>
  )
}

const valuesOf = (fields: readonly FilterField[], state: ListAddress): ListAddress =>
  Object.fromEntries(fields.map(({ name }) => [name, state[name]]))

interface FieldProps<Field> {
  readonly field: Field
  readonly value: string
  readonly onChange: (name: string, value: string) => void
}

function Choices({ field, value, onChange }: FieldProps<Extract<FilterField, { kind: 'several' }>>) {
  const { t } = useConsoleText()
  const chosen = value === '' ? [] : value.split(',')
  const toggle = (one: string): void =>
    onChange(
      field.name,
      field.choices
        .map((choice) => choice.value)
        .filter((other) => chosen.includes(other) !== (other === one))
        .join(','),
    )
  return (
    <fieldset className="sm:col-span-full">
      <legend className="mb-1.5 text-s font-semibold">{t(field.label)}</legend>
      <div className="flex flex-wrap gap-2">
        {field.choices.map((choice) => (
          <label
            key={choice.value}
            className="inline-flex min-h-9 cursor-pointer items-center gap-2 rounded-small border border-line bg-surface px-2.5 text-s has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="checkbox"
              className="size-4 accent-(--accent)"
              checked={chosen.includes(choice.value)}
              onChange={() => toggle(choice.value)}
            />
            {t(choice.label)}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const INPUTS = {
  text: { autoComplete: 'off', spellCheck: false },
  currency: { autoComplete: 'off', spellCheck: false },
  network: { autoComplete: 'off', spellCheck: false },
  amount: { inputMode: 'decimal', autoComplete: 'off', pattern: String.raw`\d+(\.\d+)?` },
  day: { type: 'date' },
} as const

/** A day may come with a time, from a link. */
const shownIn = (field: FilterField, value: string): string => (field.kind === 'day' ? value.slice(0, 10) : value)

function TextFilter({ field, value, onChange }: FieldProps<Exclude<FilterField, { kind: 'several' }>>) {
  const { t } = useConsoleText()
  const id = useId()
  const known = field.kind === 'text' ? field.known : undefined
  const isOfCurrencies = field.kind === 'currency' || field.kind === 'network'
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="text-s font-semibold">
        {t(field.label)}
      </label>
      <input
        id={id}
        {...INPUTS[field.kind]}
        list={isOfCurrencies || known !== undefined ? `${id}-known` : undefined}
        value={shownIn(field, value)}
        className="min-h-11 w-full min-w-0 rounded-small border border-field bg-surface px-3"
        onChange={(event) => onChange(field.name, event.target.value)}
      />
      {isOfCurrencies && (
        <KnownOfCurrencies id={`${id}-known`} of={field.kind === 'currency' ? 'currency_code' : 'network'} />
      )}
      {known !== undefined && <Known id={`${id}-known`} values={known} />}
    </div>
  )
}

function KnownOfCurrencies({ id, of }: { readonly id: string; readonly of: 'currency_code' | 'network' }) {
  const { data = [] } = useQuery(knownCurrenciesQuery(useConsoleClient()))
  return <Known id={id} values={[...new Set(data.map((currency) => currency[of]))].toSorted()} />
}

/** What may be written into a field. */
function Known({ id, values }: { readonly id: string; readonly values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  )
}
