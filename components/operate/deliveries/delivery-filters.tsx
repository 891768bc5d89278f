'use client'

import { useId, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import type { DeliveryFilterText } from '#lib/browser/operate/deliveries.ts'
import type { DeliveriesPage } from '#lib/contract/operate/deliveries.ts'
import { useConsoleText } from '../context/texts.tsx'

const STATES = ['', 'waiting', 'failing', 'dead', 'delivered'] as const
const MOST_COUNTED = 10_000

/** The states as a choice, with how many there are of each. */
export function StateChoice({
  state = '',
  counts,
  onChange,
}: {
  readonly state: string | undefined
  readonly counts: DeliveriesPage['counts'] | undefined
  readonly onChange: (state: string) => void
}) {
  const { t, decimal } = useConsoleText()
  const countOf = (name: (typeof STATES)[number]): string => {
    if (counts === undefined || name === '' || name === 'delivered') return ''
    const count = counts[name]
    return ` ${decimal(String(Math.min(count, MOST_COUNTED)))}${count > MOST_COUNTED ? '+' : ''}`
  }
  return (
    <div role="group" aria-label={t('deliveries.column.state')} className="flex gap-1 overflow-x-auto">
      {STATES.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={state === name}
          className="min-h-11 shrink-0 rounded-small px-3 text-s font-medium whitespace-nowrap text-ink-2 hover:bg-sunken aria-pressed:bg-accent-soft aria-pressed:font-semibold aria-pressed:text-accent"
          onClick={() => onChange(name)}
        >
          {t(`deliveries.state.${name === '' ? 'any' : name}`)}
          <span className="tabular-nums">{countOf(name)}</span>
        </button>
      ))}
    </div>
  )
}

const TEXTS = ['transaction', 'user', 'outcome'] as const
const TIMES = ['from', 'to'] as const

const inputClass = 'min-h-11 w-full min-w-0 rounded-card border border-field bg-surface px-3 text-s text-ink'

/** An ISO time as the input of the browser's own time has it, and back. */
export const toLocalTime = (iso: string | undefined): string => {
  const ms = Date.parse(iso ?? '')
  if (Number.isNaN(ms)) return ''
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
export const fromLocalTime = (local: string): string => (local === '' ? '' : new Date(local).toISOString())

/** The other parts of the filter. */
export function DeliveryFilterForm({
  filter,
  onChange,
}: {
  readonly filter: DeliveryFilterText
  readonly onChange: (changes: DeliveryFilterText) => void
}) {
  const { t } = useConsoleText()
  const id = useId()
  const [texts, setTexts] = useState(filter)
  const times = { from: toLocalTime(texts.from), to: toLocalTime(texts.to) }
  return (
    <form
      role="search"
      className="grid grid-cols-2 items-end gap-2 lg:grid-cols-[2fr_1.5fr_1fr_1.5fr_1.5fr_auto]"
      onSubmit={(event) => {
        event.preventDefault()
        onChange(Object.fromEntries([...TEXTS, ...TIMES].map((name) => [name, texts[name]?.trim()])))
      }}
    >
      {TEXTS.map((name) => (
        <div key={name} className={`grid gap-1 ${name === 'transaction' ? 'max-lg:col-span-2' : ''}`}>
          <label htmlFor={`${id}-${name}`} className="text-xs font-semibold text-ink-2">
            {t(`deliveries.filter.${name}`)}
          </label>
          <input
            id={`${id}-${name}`}
            value={texts[name] ?? ''}
            maxLength={128}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            {...(name === 'transaction' && { 'data-search': '' })}
            className={inputClass}
            onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
          />
        </div>
      ))}
      {TIMES.map((name) => (
        <div key={name} className="grid gap-1">
          <label htmlFor={`${id}-${name}`} className="text-xs font-semibold text-ink-2">
            {t(`deliveries.filter.${name}`)}
          </label>
          <input
            id={`${id}-${name}`}
            type="datetime-local"
            value={times[name]}
            className={inputClass}
            onChange={(event) => setTexts({ ...texts, [name]: fromLocalTime(event.target.value) })}
          />
        </div>
      ))}
      <Button variant="chip" type="submit" className="max-lg:col-span-2">
        {t('deliveries.filter.apply')}
      </Button>
    </form>
  )
}
