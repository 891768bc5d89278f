import type { Overview } from '../../control/overview.ts'
import { element } from '../element.ts'
import { emptyNote, time } from './parts.ts'

type Call = Overview['calls'][number]

function row(call: Call): HTMLElement {
  const ended = call.response_status === null ? 'no answer' : String(call.response_status)
  const notes = [call.authentic ? null : 'not authentic', call.committed ? 'committed' : null, call.fault]
  return element(
    'details',
    { class: 'item', id: `call-${String(call.id)}` },
    element(
      'summary',
      { class: 'line' },
      element('b', {}, call.operation.replaceAll('_', ' ')),
      element('span', { class: 'pill' }, ended),
    ),
    element(
      'p',
      { class: 'muted small' },
      [time(call.at), `${String(call.took_ms ?? '…')} ms`, call.user_reference, ...notes]
        .filter((note) => note !== null)
        .join(' · '),
    ),
    element('pre', {}, call.body === '' ? 'no body' : call.body),
  )
}

export const callsList = (calls: readonly Call[]): Node =>
  calls.length === 0 ? emptyNote('None yet.') : element('div', { class: 'items' }, ...calls.map(row))
