import type { Overview } from '../../control/overview.ts'
import { faultWords } from '../../faults/fault-words.ts'
import { element } from '../element.ts'
import { emptyNote, rowSummary, time, times } from './parts.ts'

type Row = Overview['calls'][number]
type Attempt = Row['log'][number]

function ended({ response_status, took_ms }: Attempt): HTMLElement {
  const tone = response_status === null ? (took_ms === null ? 'wait' : 'bad') : response_status < 400 ? 'ok' : 'bad'
  const text = response_status === null ? (took_ms === null ? 'running' : 'no answer') : String(response_status)
  return element('span', { class: `pill ${tone}` }, text)
}

const notes = ({ authentic, committed, fault }: Attempt): readonly string[] => [
  ...(authentic ? [] : ['not authentic']),
  ...(committed ? ['committed'] : []),
  ...(fault === null ? [] : [`fault: ${faultWords(fault)}`]),
]

const attempt = (one: Attempt): HTMLElement =>
  element(
    'li',
    { class: 'small line' },
    [time(one.at), `${String(one.took_ms ?? '…')} ms`, ...notes(one)].join(' · '),
    ended(one),
  )

function row({ id, operation, method, path, query, body, user, what, attempts, log }: Row): HTMLElement {
  const [newest] = log
  return element(
    'details',
    { class: 'item', id: `call-${String(id)}` },
    rowSummary({
      title: operation.replaceAll('_', ' '),
      state: newest ? ended(newest) : null,
      user,
      what,
      at: newest?.at ?? 0,
      count: times(attempts),
      notes: newest ? notes(newest) : [],
    }),
    element('ol', { class: 'attempts', 'aria-label': 'Attempts' }, ...log.map(attempt)),
    element(
      'pre',
      {},
      [`${method} ${path}${query === '' ? '' : `?${query}`}`, body].filter((one) => one !== '').join('\n'),
    ),
  )
}

export const callsList = (calls: readonly Row[]): Node =>
  calls.length === 0 ? emptyNote('None yet.') : element('div', { class: 'items' }, ...calls.map(row))
