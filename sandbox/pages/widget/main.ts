import { byId } from '../element.ts'
import { createSendAction } from './send-action.ts'
import type { WidgetSession } from './session.ts'
import { showDone, showFailed, showStart } from './steps.ts'

const given = document.getElementById('session')

if (given) {
  const session = JSON.parse(given.textContent) as WidgetSession
  const widget = { session, root: byId('widget'), send: createSendAction(session.token) }
  if (session.status === 'failed') showFailed(widget)
  else if (session.status === 'processing' || session.status === 'succeeded') showDone(widget, session.status)
  else {
    showStart(widget)
    void widget.send('open')
  }
}
