import type { Overview } from '../../control/overview.ts'
import { byId } from '../element.ts'
import { createActionRunner } from './run-action.ts'
import { control, fetchOverview } from './api.ts'
import { callsList } from './calls.ts'
import { clockPanel, setClock } from './clock.ts'
import { depositPanel } from './deposit.ts'
import { faultsList, newFaultPanel, waitingFaults } from './faults.ts'
import { fillPanel } from './fill.ts'
import { fetchMagic, magicPanel } from './magic.ts'
import { openItems, recentItems } from './transactions.ts'
import { linkTo } from './parts.ts'
import { replaceContent } from './replace-content.ts'
import { carryRunsOn, forgetRuns, scenarioRuns, scenariosPanel } from './scenarios.ts'
import { sendPanel } from './send.ts'
import { offerUsers, openSubject, shownUser, subject } from './subject.ts'
import { changedModes, modesPanel } from './modes.ts'
import { webhooksList } from './webhooks.ts'

const EVERY_MS = 1500

/** A panel is rendered again when its data changes, but not while the user types in it. */
type Panel = readonly [id: string, data: (overview: Overview) => unknown, render: (overview: Overview) => Node]

const act = createActionRunner(refresh)

const PANELS: readonly Panel[] = [
  ['clock', ({ clock_offset_ms }) => clock_offset_ms, (seen) => clockPanel(seen, act)],
  ['fill', () => 'once', () => fillPanel(act)],
  ['deposit', ({ addresses, currencies }) => [addresses, currencies, subject()], (seen) => depositPanel(seen, act)],
  ['open', ({ open }) => open, (seen) => openItems(seen.open, act)],
  ['recent', ({ recent }) => recent, (seen) => recentItems(seen.recent)],
  ['scenarios', ({ links }) => [scenarioRuns(), links], (seen) => scenariosPanel(seen, act)],
  ['webhooks', ({ webhooks }) => webhooks, (seen) => webhooksList(seen.webhooks, act)],
  ['faults', ({ faults }) => faults, (seen) => faultsList(seen.faults, act)],
  ['new-fault', () => 'once', (seen) => newFaultPanel(seen, act)],
  ['modes', ({ mode_groups, merchants }) => [mode_groups, merchants], (seen) => modesPanel(seen, act)],
  ['send', () => 'once', () => sendPanel(act)],
  ['calls', ({ calls }) => calls, (seen) => callsList(seen.calls)],
]

/** The mark of a folded panel; null if the panel has nothing unusual. */
const MARKS: readonly (readonly [id: string, mark: (overview: Overview) => string | null])[] = [
  ['modes', (seen) => (changedModes(seen) === 0 ? null : `${String(changedModes(seen))} changed`)],
  ['faults', (seen) => (waitingFaults(seen) === 0 ? null : `${String(waitingFaults(seen))} set`)],
]

const rendered = new Map<string, string>()
/** The panel has unsent input, or an open list of choices. A changed mode is shown at once. */
function isTyping(panel: HTMLElement): boolean {
  const { activeElement: active } = document
  if (!panel.contains(active)) return false
  if (active instanceof HTMLInputElement) return active.value !== active.defaultValue
  return active instanceof HTMLTextAreaElement || (active instanceof HTMLSelectElement && panel.id !== 'modes')
}

/** Renders only changed data, so that a link keeps its press and focus. */
function renderOnce(id: string, data: unknown, render: () => void): void {
  const text = JSON.stringify(data)
  if (rendered.get(id) === text) return
  rendered.set(id, text)
  render()
}

function renderHeader({ links, merchants, users }: Overview): void {
  offerUsers(users)
  renderOnce('links', [links, subject()], () => {
    const shown = [linkTo('Shop', links.shop, subject()), linkTo('Cashier', links.cashier, subject())]
    byId('links').replaceChildren(...shown.filter((link) => link !== null))
  })
  const webhook = merchants[0]?.webhook_url ?? 'nowhere'
  renderOnce('where', webhook, () => {
    byId('where').textContent = `${location.host}, webhooks to ${webhook}`
  })
}

function render(overview: Overview): void {
  setClock(overview)
  renderHeader(overview)
  for (const [id, data, create] of PANELS) {
    const panel = byId(id)
    if (rendered.has(id) && isTyping(panel)) continue
    renderOnce(id, data(overview), () => {
      replaceContent(panel, create(overview))
    })
  }
  for (const [id, mark] of MARKS) {
    const text = mark(overview)
    byId(`${id}-mark`).hidden = text === null
    byId(`${id}-mark`).textContent = text
  }
}

/** Number of the latest refresh. Only its answer is shown, not a late answer of an earlier refresh. */
let latest = 0

async function refresh(): Promise<void> {
  const connection = byId('connection')
  const own = (latest += 1)
  try {
    await carryRunsOn()
    const overview = await fetchOverview(shownUser())
    if (own !== latest) return
    render(overview)
    connection.textContent = 'Live'
    connection.className = 'pill ok'
  } catch {
    connection.textContent = 'Not reachable'
    connection.className = 'pill bad'
  }
}

byId('reset').addEventListener('click', () => {
  if (confirm('Delete all addresses, transactions, webhooks, nonces, faults and changed modes?')) {
    act('Everything was deleted.', async () => {
      await control('POST', '/reset')
      forgetRuns()
    })
  }
})

/** A link to a folded part opens it. */
function openTarget(): void {
  const target = location.hash === '' ? null : document.getElementById(location.hash.slice(1))
  if (target instanceof HTMLDetailsElement) target.open = true
}
addEventListener('hashchange', openTarget)
openTarget()

openSubject(() => void refresh())
void refresh()
setInterval(() => void refresh(), EVERY_MS)
void fetchMagic().then((magic) => {
  byId('magic').replaceChildren(magicPanel(magic, act))
})
