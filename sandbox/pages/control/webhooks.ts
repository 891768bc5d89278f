import type { Overview } from '../../control/overview.ts'
import { element } from '../element.ts'
import { control } from './api.ts'
import { actionButton, emptyNote, pill, rowSummary, time, times } from './parts.ts'
import type { RunAction } from './run-action.ts'

type Row = Overview['webhooks'][number]

const attempt = ({ sent_at, response_status, answer, took_ms }: Row['log'][number]): HTMLElement =>
  element(
    'li',
    { class: 'small' },
    `${time(sent_at)} · ${response_status === null ? '' : `${String(response_status)} · `}${String(took_ms)} ms${answer === '' ? '' : ` · ${answer}`}`,
  )

function row(webhook: Row, act: RunAction): HTMLElement {
  const { id, event, status, state, attempts, body, signing, user, what, created_at, log } = webhook
  return element(
    'details',
    { class: 'item', id: `webhook-${String(id)}` },
    rowSummary({
      title: `${event}, ${status}`,
      state: pill(state),
      user,
      what,
      at: created_at,
      count: times(attempts),
    }),
    signing !== 'right' &&
      element('p', { class: 'small' }, `Signed with a deliberate fault: ${signing.replaceAll('_', ' ')}`),
    log.length > 0 && element('ol', { class: 'attempts', 'aria-label': 'Attempts' }, ...log.map(attempt)),
    element('pre', {}, body),
    actionButton('Send again', () => act('Sent again.', () => control('POST', `/webhooks/${String(id)}/redeliver`))),
  )
}

const WAITS: readonly string[] = ['queued', 'held']

export function webhooksList(webhooks: readonly Row[], act: RunAction): Node {
  if (webhooks.length === 0) return emptyNote('None yet.')
  const flush = actionButton('Send all waiting webhooks now', () =>
    act('Sent.', () => control('POST', '/webhooks/flush')),
  )
  return element(
    'div',
    {},
    webhooks.some(({ state }) => WAITS.includes(state)) && flush,
    element('div', { class: 'items' }, ...webhooks.map((webhook) => row(webhook, act))),
  )
}
