import { htmlPage } from './html.ts'

const section = (id: string, title: string, hint: string): string =>
  `<section class="panel" id="${id}-panel" aria-labelledby="${id}-title"><h2 id="${id}-title" tabindex="-1">${title}</h2><p class="hint">${hint}</p><div id="${id}"></div></section>`

interface FoldedPart {
  readonly id: string
  readonly title: string
  readonly hint: string
  readonly more?: string
  readonly open?: boolean
}

/** A part that can be folded. Its script shows a mark in the summary when something in the part is unusual. */
const folded = ({ id, title, hint, more = '', open = false }: FoldedPart): string =>
  `<details class="panel" id="${id}-panel"${open ? ' open' : ''}><summary><h2>${title}</h2><span id="${id}-mark" class="pill unsure" hidden></span></summary><p class="hint">${hint}</p><div id="${id}"></div>${more}</details>`

const PARTS = [
  ['deposit', 'Deposit'],
  ['scenarios', 'Scenarios'],
  ['clock', 'Clock'],
  ['open', 'Waiting'],
  ['webhooks', 'Webhooks'],
  ['faults', 'Faults'],
  ['magic', 'Magic values'],
  ['modes', 'Modes'],
  ['calls', 'Calls'],
] as const

/**
 * The parts stand in the order in which a phone shows them. On a wide screen the groups `act` and `set` are the left
 * column and `see` is the right one.
 */
const GROUPS = [
  [
    'act',
    section('deposit', 'Send a deposit', 'Simulates the blockchain: detect a deposit first, then press Confirm.'),
    section(
      'scenarios',
      'Scenarios',
      'Each button produces one state of docs/guides/test.md. A scenario waits when the user must act.',
    ),
  ],
  [
    'see',
    section('clock', 'Clock', 'The gateway’s time. It does not shorten waits.'),
    section('fill', 'Fill the history', 'Adds completed transactions in the past. No events are sent.'),
    section('open', 'Waiting for you', 'Each button is one step of a transaction.'),
    section('webhooks', 'Webhooks', 'The newest events that were sent, with each attempt.'),
  ],
  [
    'set',
    folded({
      id: 'faults',
      title: 'Faults',
      hint: 'Faults that the next calls and webhooks will have. The oldest matching fault happens first.',
      more: '<div id="new-fault"></div>',
      open: true,
    }),
    folded({
      id: 'magic',
      title: 'Magic values',
      hint: 'Withdrawal amounts, addresses and user names that have an effect. Press a value to copy it.',
    }),
    folded({ id: 'modes', title: 'Modes', hint: 'How the gateway behaves. Changes last until you reset the sandbox.' }),
    folded({
      id: 'send',
      title: 'Send any webhook',
      hint: 'The sandbox signs the body and sends it exactly as entered.',
    }),
  ],
  [
    'records',
    section('calls', 'Calls', 'The newest calls of the cashier. Calls with the same content share a row.'),
    section('recent', 'Latest transactions', 'The newest transactions.'),
  ],
] as const

/** The page to simulate the blockchain, the operator and the provider. Its script fills the lists. */
export const controlPage = (): string =>
  htmlPage({
    title: 'Sandbox control',
    style: 'control',
    script: 'control',
    theme: 'auto',
    body: `<header class="top">
<div><h1>Sandbox gateway</h1><p id="where" class="muted">Loading</p></div>
<div class="top-actions"><span id="links" class="links"></span><span id="connection" class="pill wait">Connecting</span><button type="button" id="reset">Reset all</button></div>
</header>
<div class="bar">
<form id="subject" class="subject" aria-label="User of the page">
<label for="user">User</label><input id="user" list="users" autocomplete="off" spellcheck="false" autocapitalize="off"><datalist id="users"></datalist>
<label class="check"><input type="checkbox" id="only">Show only this user</label>
</form>
<nav class="jump" aria-label="Parts of the page">${PARTS.map(([id, name]) => `<a href="#${id}-panel">${name}</a>`).join('')}</nav>
</div>
<p id="message" class="message" role="status"></p>
<main>
${GROUPS.map(([name, ...parts]) => `<div class="${name}">\n${parts.join('\n')}\n</div>`).join('\n')}
</main>`,
  })
