import { element } from '../element.ts'
import { STATUS_LABELS, STATUS_TONES } from '../status-labels.ts'

/** A state as text, not only as a colour. */
export const pill = (status: string): HTMLElement =>
  element('span', { class: `pill ${STATUS_TONES[status] ?? ''}` }, STATUS_LABELS[status] ?? status)

/** A time of day, with the date if it is not today. */
export function time(at: number): string {
  const date = new Date(at)
  const clock = date.toLocaleTimeString('en-GB')
  if (date.toDateString() === new Date().toDateString()) return clock
  return `${date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${clock}`
}

export const times = (count: number): string =>
  count === 0 ? 'no attempt' : count === 1 ? '1 attempt' : `${String(count)} attempts`

export const shortened = (text: string): string => (text.length > 20 ? `${text.slice(0, 8)}…${text.slice(-6)}` : text)

export const actionButton = (text: string, click: () => void, look = ''): HTMLElement =>
  element('button', { type: 'button', class: look, click }, text)

/** A button with an explanation. */
export const choiceButton = (text: string, about: string, click: () => void, look = ''): HTMLElement =>
  element(
    'button',
    { type: 'button', class: `choice ${look}`, click },
    element('b', {}, text),
    element('small', {}, about),
  )

/** A link to a related page, in a new tab; null if its address is not known. */
export const linkTo = (text: string, address: string | null, user: string): HTMLElement | null =>
  address === null
    ? null
    : element(
        'a',
        {
          class: 'button',
          href: address.replaceAll('{user}', encodeURIComponent(user)),
          target: '_blank',
          rel: 'noopener',
        },
        text,
      )

export const emptyNote = (text: string): HTMLElement => element('p', { class: 'empty' }, text)

export const field = (label: string, control: HTMLElement): HTMLElement =>
  element('label', {}, element('span', {}, label), control)

export const namedSelect = (
  values: readonly (readonly [value: string, name: string])[],
  chosen?: string,
): HTMLSelectElement =>
  element(
    'select',
    {},
    ...values.map(([value, name]) => element('option', { value, selected: value === chosen }, name)),
  )

export const selectField = (values: readonly string[], chosen?: string): HTMLSelectElement =>
  namedSelect(
    values.map((value) => [value, value.replaceAll('_', ' ')] as const),
    chosen,
  )

interface RowSummary {
  readonly title: string
  readonly state: HTMLElement | null
  readonly user: string | null
  readonly what: string
  readonly at: number
  readonly count: string
  readonly notes?: readonly string[]
}

/** The summary of a closed row: user, content, time and number of attempts. */
export const rowSummary = ({ title, state, user, what, at, count, notes = [] }: RowSummary): HTMLElement =>
  element(
    'summary',
    { class: 'row' },
    element('span', { class: 'line' }, element('b', {}, title), state),
    what === '' ? null : element('span', { class: 'what' }, what),
    element('span', { class: 'muted small' }, [user ?? 'no user', time(at), count, ...notes].join(' · ')),
  )
