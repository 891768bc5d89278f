import { htmlPage } from './html.ts'

const section = (id: string, title: string, hint: string, content = ''): string =>
  `<section class="panel" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2><p class="hint">${hint}</p>${content}<div id="${id}"></div></section>`

const folded = (id: string, title: string, hint: string): string =>
  `<details class="panel"><summary><h2>${title}</h2></summary><p class="hint">${hint}</p><div id="${id}"></div></details>`

/** The page on which a person plays blockchain, operator and provider. Lists are filled by its script. */
export const controlPage = (): string =>
  htmlPage({
    title: 'Sandbox control',
    name: 'control',
    theme: 'auto',
    body: `<header class="top">
<div><h1>Sandbox gateway</h1><p id="where" class="muted">Loading</p></div>
<div class="top-actions"><span id="connection" class="pill wait">Connecting</span><button type="button" id="reset">Reset all</button></div>
</header>
<p id="message" class="message" role="status"></p>
<main>
<div class="column">
${section('deposit', 'Send a deposit', 'You are the blockchain. Detected first, confirmed when you say so.')}
${section('open', 'Waiting for you', 'Each button is one step.')}
${section('recent', 'Latest transactions', 'Newest first.')}
</div>
<div class="column">
${section('webhooks', 'Webhooks', 'What was sent, and what the receiver said.')}
${folded('faults', 'Faults', 'What shall go wrong next. Those that are counted are used up, the oldest first.')}
${folded('switches', 'Switches', 'Kept over restarts, until a reset.')}
${folded('send', 'Send any webhook', 'Signed and sent as you typed it.')}
${folded('calls', 'Calls', 'Gateway operations that arrived.')}
</div>
</main>`,
  })
