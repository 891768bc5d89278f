import { htmlPage } from './html.ts'

const section = (id: string, title: string, hint: string, content = ''): string =>
  `<section class="panel" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2><p class="hint">${hint}</p>${content}<div id="${id}"></div></section>`

const folded = (id: string, title: string, hint: string): string =>
  `<details class="panel"><summary><h2>${title}</h2></summary><p class="hint">${hint}</p><div id="${id}"></div></details>`

/** The page to simulate the blockchain, the operator and the provider. Its script fills the lists. */
export const controlPage = (): string =>
  htmlPage({
    title: 'Sandbox control',
    style: 'control',
    script: 'control',
    theme: 'auto',
    body: `<header class="top">
<div><h1>Sandbox gateway</h1><p id="where" class="muted">Loading</p></div>
<div class="top-actions"><span id="connection" class="pill wait">Connecting</span><button type="button" id="reset">Reset all</button></div>
</header>
<p id="message" class="message" role="status"></p>
<main>
<div class="column">
${section('deposit', 'Send a deposit', 'Simulates the blockchain: a deposit is detected first, and confirmed when you press Confirm.')}
${section('open', 'Waiting for you', 'Each button is one step of a transaction.')}
${section('recent', 'Latest transactions', 'Newest first.')}
</div>
<div class="column">
${section('webhooks', 'Webhooks', 'Sent events, with the response of the receiver.')}
${folded('faults', 'Faults', 'Faults of the next calls and webhooks. The oldest matching fault is used first.')}
${folded('modes', 'Modes', 'How the gateway behaves. Changes survive restarts, until a reset.')}
${folded('send', 'Send any webhook', 'The body is signed and sent exactly as entered.')}
${folded('calls', 'Calls', 'Gateway calls received.')}
</div>
</main>`,
  })
