import type { Overview } from '../../control/overview.ts'
import { element } from '../element.ts'
import type { RunAction } from './run-action.ts'
import { control } from './api.ts'
import { emptyNote, pill, actionButton, time } from './parts.ts'

type Row = Overview['webhooks'][number]

function row(webhook: Row, act: RunAction): HTMLElement {
  const { id, event, status, state, attempts, answer, body, signing } = webhook
  const times = attempts === 1 ? 'once' : `${String(attempts)} times`
  return element(
    'details',
    { class: 'item', id: `webhook-${String(id)}` },
    element('summary', { class: 'line' }, element('b', {}, `${event}, ${status}`), pill(state)),
    element(
      'p',
      { class: 'muted small' },
      `${time(webhook.created_at)} · tried ${times}${answer === '' ? '' : ` · ${answer}`}`,
    ),
    signing !== 'right' &&
      element('p', { class: 'small' }, `Signed with a deliberate fault: ${signing.replaceAll('_', ' ')}`),
    element('pre', {}, body),
    actionButton('Send again', () => act('Sent again.', () => control('POST', `/webhooks/${String(id)}/redeliver`))),
  )
}

export function webhooksList(webhooks: readonly Row[], act: RunAction): Node {
  if (webhooks.length === 0) return emptyNote('None yet.')
  const flush = actionButton('Send everything that waits now', () =>
    act('Sent.', () => control('POST', '/webhooks/flush')),
  )
  return element('div', {}, element('div', { class: 'items' }, ...webhooks.map((webhook) => row(webhook, act))), flush)
}
