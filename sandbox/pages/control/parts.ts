import { element } from '../element.ts'
import { STATUS_LABELS, STATUS_TONES } from '../status-labels.ts'

/** A state as text, not only as a colour. */
export const pill = (status: string): HTMLElement =>
  element('span', { class: `pill ${STATUS_TONES[status] ?? ''}` }, STATUS_LABELS[status] ?? status)

export const time = (at: number): string => new Date(at).toLocaleTimeString('en-GB')

export const shortened = (text: string): string => (text.length > 20 ? `${text.slice(0, 8)}…${text.slice(-6)}` : text)

export const actionButton = (text: string, click: () => void, look = ''): HTMLElement =>
  element('button', { type: 'button', class: look, click }, text)

export const emptyNote = (text: string): HTMLElement => element('p', { class: 'empty' }, text)

export const field = (label: string, control: HTMLElement): HTMLElement =>
  element('label', {}, element('span', {}, label), control)

export function selectField(values: readonly string[], chosen?: string): HTMLSelectElement {
  return element(
    'select',
    {},
    ...values.map((value) => element('option', { value, selected: value === chosen }, value.replaceAll('_', ' '))),
  )
}
