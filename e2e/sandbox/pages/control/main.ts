import type { Overview } from '../../control/overview.ts'
import { byId } from '../element.ts'
import { actor } from './act.ts'
import { control, overview } from './api.ts'
import { callsList } from './calls.ts'
import { depositPanel } from './deposit.ts'
import { faultsPanel } from './faults.ts'
import { openItems, recentItems } from './items.ts'
import { sendPanel } from './send.ts'
import { switchesPanel } from './switches.ts'
import { webhooksList } from './webhooks.ts'

const EVERY_MS = 1500

/** Shows a panel again when what it shows has changed, and not while a person is in it. */
type Panel = readonly [id: string, part: (seen: Overview) => unknown, draw: (seen: Overview) => Node]

const act = actor(refresh)

const PANELS: readonly Panel[] = [
  ['deposit', ({ addresses, currencies }) => [addresses, currencies], (seen) => depositPanel(seen, act)],
  ['open', ({ open }) => open, (seen) => openItems(seen.open, act)],
  ['recent', ({ recent }) => recent, (seen) => recentItems(seen.recent)],
  ['webhooks', ({ webhooks }) => webhooks, (seen) => webhooksList(seen.webhooks, act)],
  ['faults', ({ faults }) => faults, (seen) => faultsPanel(seen, act)],
  ['switches', ({ modes, merchants }) => [modes, merchants], (seen) => switchesPanel(seen, act)],
  ['send', () => 'once', () => sendPanel(act)],
  ['calls', ({ calls }) => calls, (seen) => callsList(seen.calls)],
]

const drawn = new Map<string, string>()
const isTyping = (panel: HTMLElement): boolean =>
  panel.contains(document.activeElement) && /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')

function draw(seen: Overview): void {
  for (const [id, part, make] of PANELS) {
    const text = JSON.stringify(part(seen))
    const panel = byId(id)
    if (drawn.get(id) === text || (drawn.has(id) && isTyping(panel))) continue
    const opened = new Set(Array.from(panel.querySelectorAll('details[open]'), (details) => details.id))
    panel.replaceChildren(make(seen))
    for (const details of panel.querySelectorAll('details')) details.open = opened.has(details.id)
    drawn.set(id, text)
  }
  const webhook = seen.merchants[0]?.webhook_url ?? 'nowhere'
  byId('where').textContent = `${location.host}, webhooks to ${webhook}`
}

async function refresh(): Promise<void> {
  const connection = byId('connection')
  try {
    draw(await overview())
    connection.textContent = 'Live'
    connection.className = 'pill ok'
  } catch {
    connection.textContent = 'Not reachable'
    connection.className = 'pill bad'
  }
}

byId('reset').addEventListener('click', () => {
  if (confirm('Empty everything: addresses, transactions, webhooks, nonces, faults and switches?')) {
    act('Everything is empty.', () => control('POST', '/reset'))
  }
})
void refresh()
setInterval(() => void refresh(), EVERY_MS)
