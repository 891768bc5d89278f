import { element } from '../element.ts'
import type { Act } from './act.ts'
import { control } from './api.ts'
import { choice, field, press } from './show.ts'

const EXAMPLE =
  '{"event":"User Deposit","transaction":{"id":"","status":"processing"},"transaction_uuid":"","user_reference":"user_1"}'

/** Any body, signed in any way; shows what the receiver answered. */
export function sendPanel(act: Act): Node {
  const raw = element('textarea', { rows: '6', spellcheck: 'false' }, EXAMPLE)
  const signing = choice(['right', 'wrong', 'other_key', 'stale'])
  const answer = element('pre', {})
  answer.hidden = true
  const send = (): void =>
    act('Sent.', async () => {
      const said = await control('POST', '/webhooks/send', { raw: raw.value, signing: signing.value })
      answer.hidden = false
      answer.textContent = JSON.stringify(said, null, 1)
    })
  return element(
    'div',
    { class: 'form' },
    field('Body', raw),
    field('Signature', signing),
    element('div', { class: 'buttons' }, press('Send', send, 'primary')),
    answer,
  )
}
