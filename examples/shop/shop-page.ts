/** The HTML of the shop's page. Its script is site/shop.ts. */
import { FLOWS, LANGUAGES, PLAYERS, THEMES } from './demo-data.ts'

const option = (value: string, label: string): string => `<option value="${value}">${label}</option>`
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** A strict policy. The demo proves that the policy in docs/guides/embed.md is enough for a merchant. */
export const shopPolicy = (cashierUrl: string): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    "default-src 'none'",
    `script-src 'self' ${cashierUrl}`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    `frame-src ${cashierUrl}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'permissions-policy': ['camera', 'microphone', 'payment', 'clipboard-read', 'clipboard-write', 'web-share']
    .map((feature) => `${feature}=(self "${cashierUrl}")`)
    .join(', '),
  'referrer-policy': 'strict-origin-when-cross-origin',
})

export function shopPage({ cashierUrl, sandboxUrl }: { cashierUrl: string; sandboxUrl: string }): string {
  return `<!doctype html>
<html lang="en" data-theme="auto">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>Wallet · Fernhill Games</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/shop.css">
</head>
<body>
<header>
<a class="brand" href="/"><img src="/icon.svg" alt="" width="28" height="28">Fernhill Games</a>
<nav aria-label="Shop"><span>Store</span><span>Library</span><span aria-current="page">Wallet</span></nav>
<span class="player"><span id="initials" aria-hidden="true"></span><span id="player-name"></span></span>
</header>
<main>
<div class="side">
<section>
<h1>Wallet</h1>
<p class="lead">Add money, take it out, or see where it went.</p>
<ul id="balances" class="balances" aria-label="Balances"></ul>
</section>
<section class="offer">
<div class="cover" aria-hidden="true"></div>
<div><h2>Moorland, season pass</h2><p>Twelve chapters, one a month.</p></div>
<button id="buy" type="button">Buy for 5 USDT</button>
<p id="purchase" role="status"></p>
</section>
<section>
<h2>Events at the shop</h2>
<p class="hint">The cashier’s event feed, as the merchant’s backend reads it.</p>
<ol id="feed" class="feed" aria-label="Merchant feed"></ol>
<ul id="waiting" class="feed" aria-label="Withdrawals to decide"></ul>
</section>
<section class="panel" aria-labelledby="panel-title">
<h2 id="panel-title">Demo controls</h2>
<form id="controls">
<label>Player<select name="user">${PLAYERS.map(({ id, name }) => option(id, name)).join('')}</select></label>
<label>Theme<select name="theme">${THEMES.map((theme) => option(theme, capital(theme))).join('')}</select></label>
<label>Language<select name="locale">${LANGUAGES.map(([tag, name]) => option(tag, name)).join('')}</select></label>
<fieldset><legend>Flows</legend>
${FLOWS.map((flow) => `<label><input type="checkbox" name="flows" value="${flow}">${capital(flow)}</label>`).join('\n')}
</fieldset>
</form>
<p><a id="sandbox" href="${sandboxUrl}/control" target="_blank" rel="noopener">Simulate transactions in the sandbox</a></p>
<details><summary>Events from the cashier to this page</summary><ol id="log" class="log" aria-label="Event log"></ol></details>
</section>
</div>
<section class="till" aria-label="Cashier">
<div id="cashier"></div>
<p id="notice" role="alert"></p>
</section>
</main>
<footer>A demo shop for trying the cashier. It is on another site than the cashier, as a real shop is.</footer>
<script src="${cashierUrl}/embed.js"></script>
<script type="module" src="/shop.js"></script>
</body>
</html>
`
}
