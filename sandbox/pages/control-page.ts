import { htmlPage } from './html.ts'

const section = (id: string, title: string, hint: string): string =>
  `<section class="panel" id="${id}-panel" aria-labelledby="${id}-title"><h2 id="${id}-title" tabindex="-1">${title}</h2><p class="hint">${hint}</p><div id="${id}"></div></section>`

/** Opened on demand. Its mark is set where something in it is not as usual. */
const folded = (id: string, title: string, hint: string, more = ''): string =>
  `<details class="panel" id="${id}-panel"><summary><h2>${title}</h2><span id="${id}-mark" class="pill unsure" hidden></span></summary><p class="hint">${hint}</p><div id="${id}"></div>${more}</details>`

const PARTS = [
  ['deposit', 'Deposit'],
  ['open', 'Waiting'],
  ['scenarios', 'Scenarios'],
  ['webhooks', 'Webhooks'],
  ['calls', 'Calls'],
  ['magic', 'Magic values'],
  ['modes', 'Modes'],
  ['faults', 'Faults'],
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
<form id="subject" class="subject" aria-label="Whom the page acts for">
<label for="user">User</label><input id="user" list="users" autocomplete="off" spellcheck="false" autocapitalize="off"><datalist id="users"></datalist>
<label class="check"><input type="checkbox" id="only">Show only this user</label>
</form>
<nav class="jump" aria-label="Parts of the page">${PARTS.map(([id, name]) => `<a href="#${id}-panel">${name}</a>`).join('')}</nav>
</div>
<p id="message" class="message" role="status"></p>
<main>
<div class="first">
${section('clock', 'Clock', 'The gateway’s time. Waits stay real.')}
${section('fill', 'Fill the history', 'Completed transactions in the past, without events.')}
</div>
<div class="columns">
<div class="column">
${section('deposit', 'Send a deposit', 'Simulates the blockchain: a deposit is detected first, and confirmed when you press Confirm.')}
${section('open', 'Waiting for you', 'Each button is one step of a transaction.')}
${section('webhooks', 'Webhooks', 'Sent events, newest first, with each attempt.')}
${section('calls', 'Calls', 'What the cashier asked, newest first. Calls with the same content are one row.')}
${section('recent', 'Latest transactions', 'Newest first.')}
</div>
<div class="column">
${section('scenarios', 'Scenarios', 'Each button brings about one state of docs/guides/test.md. Where the user has to act, it waits.')}
${folded('magic', 'Magic values', 'Withdrawals of these amounts or to these addresses, and users with these names. Press one to copy it.')}
${folded('modes', 'Modes', 'How the gateway behaves. Changes survive restarts, until a reset.')}
${folded('faults', 'Faults', 'Faults of the next calls and webhooks. The oldest matching fault is used first.', '<div id="new-fault"></div>')}
${folded('send', 'Send any webhook', 'The body is signed and sent exactly as entered.')}
</div>
</div>
</main>`,
  })
