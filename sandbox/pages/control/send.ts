import { element } from '../element.ts'
import type { RunAction } from './run-action.ts'
import { control } from './api.ts'
import { selectField, field, actionButton } from './parts.ts'

const EXAMPLE =
  '{"event":"User Deposit","transaction":{"id":"","status":"processing"},"transaction_uuid":"","user_reference":"user_1"}'

/** Sends any body with any signature, and shows the receiver's response. */
export function sendPanel(act: RunAction): Node {
  const raw = element('textarea', { rows: '6', spellcheck: 'false' }, EXAMPLE)
  const signing = selectField(['right', 'wrong', 'other_key', 'stale'])
  const answer = element('pre', {})
  answer.hidden = true
  const send = (): void =>
    act('Sent.', async () => {
      const response = await control('POST', '/webhooks/send', { raw: raw.value, signing: signing.value })
      answer.hidden = false
      answer.textContent = JSON.stringify(response, null, 1)
    })
  return element(
    'div',
    { class: 'form' },
    field('Body', raw),
    field('Signature', signing),
    element('div', { class: 'buttons' }, actionButton('Send', send, 'primary')),
    answer,
  )
}
