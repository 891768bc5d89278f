import { element } from '../element.ts'

type Tone = 'ok' | 'wait' | 'bad' | 'unsure' | ''

const TONES: Readonly<Record<string, Tone>> = {
  TXN_NEW: 'wait',
  TXN_AWAITING_APPROVAL: 'unsure',
  TXN_PROVIDER_SUCCEEDED: 'ok',
  TXN_FAILED: 'bad',
  pending: 'wait',
  processing: 'wait',
  succeeded: 'ok',
  failed: 'bad',
  delivered: 'ok',
  queued: 'wait',
  held: 'unsure',
  dropped: 'bad',
  given_up: 'bad',
}

const LABELS: Readonly<Record<string, string>> = {
  TXN_NEW: 'processing',
  TXN_AWAITING_APPROVAL: 'awaits approval',
  TXN_PROVIDER_SUCCEEDED: 'succeeded',
  TXN_FAILED: 'failed',
  given_up: 'given up',
}

/** A state as text, not only as a colour. */
export const pill = (status: string): HTMLElement =>
  element('span', { class: `pill ${TONES[status] ?? ''}` }, LABELS[status] ?? status)

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
