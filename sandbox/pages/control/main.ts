import type { Overview } from '../../control/overview.ts'
import { byId } from '../element.ts'
import { createActionRunner } from './run-action.ts'
import { control, fetchOverview } from './api.ts'
import { callsList } from './calls.ts'
import { depositPanel } from './deposit.ts'
import { faultsPanel } from './faults.ts'
import { openItems, recentItems } from './transactions.ts'
import { sendPanel } from './send.ts'
import { modesPanel } from './modes.ts'
import { webhooksList } from './webhooks.ts'

const EVERY_MS = 1500

/** A panel is rendered again when its data has changed, but not while somebody types in it. */
type Panel = readonly [id: string, data: (overview: Overview) => unknown, render: (overview: Overview) => Node]

const act = createActionRunner(refresh)

const PANELS: readonly Panel[] = [
  ['deposit', ({ addresses, currencies }) => [addresses, currencies], (seen) => depositPanel(seen, act)],
  ['open', ({ open }) => open, (seen) => openItems(seen.open, act)],
  ['recent', ({ recent }) => recent, (seen) => recentItems(seen.recent)],
  ['webhooks', ({ webhooks }) => webhooks, (seen) => webhooksList(seen.webhooks, act)],
  ['faults', ({ faults }) => faults, (seen) => faultsPanel(seen, act)],
  ['modes', ({ modes, merchants }) => [modes, merchants], (seen) => modesPanel(seen, act)],
  ['send', () => 'once', () => sendPanel(act)],
  ['calls', ({ calls }) => calls, (seen) => callsList(seen.calls)],
]

const rendered = new Map<string, string>()
const isTyping = (panel: HTMLElement): boolean =>
  panel.contains(document.activeElement) && /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')

function render(overview: Overview): void {
  for (const [id, data, create] of PANELS) {
    const text = JSON.stringify(data(overview))
    const panel = byId(id)
    if (rendered.get(id) === text || (rendered.has(id) && isTyping(panel))) continue
    const opened = new Set(Array.from(panel.querySelectorAll('details[open]'), (details) => details.id))
    panel.replaceChildren(create(overview))
    for (const details of panel.querySelectorAll('details')) details.open = opened.has(details.id)
    rendered.set(id, text)
  }
  const webhook = overview.merchants[0]?.webhook_url ?? 'nowhere'
  byId('where').textContent = `${location.host}, webhooks to ${webhook}`
}

async function refresh(): Promise<void> {
  const connection = byId('connection')
  try {
    render(await fetchOverview())
    connection.textContent = 'Live'
    connection.className = 'pill ok'
  } catch {
    connection.textContent = 'Not reachable'
    connection.className = 'pill bad'
  }
}

byId('reset').addEventListener('click', () => {
  if (confirm('Delete everything: addresses, transactions, webhooks, nonces, faults and changed modes?')) {
    act('Everything was deleted.', () => control('POST', '/reset'))
  }
})
void refresh()
setInterval(() => void refresh(), EVERY_MS)
