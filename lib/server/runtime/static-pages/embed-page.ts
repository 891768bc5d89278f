/// <reference lib="esnext.intl" />
/**
 * `GET /embed`: the page that a merchant's iframe loads first. It has no framework, and but for its nonce it is the
 * same for everybody. Its script writes the session's page into the same document, so that page has this nonce too.
 */
import { EMBED_TEXTS } from '#lib/i18n/messages/embed-texts.ts'
import { inlineScript } from './inline-script.ts'

/** Greys that are visible on any background: the merchant's colours come with the session, after this page. */
const STYLE = `
:root{color-scheme:light dark}
[data-theme=light]{color-scheme:light}
[data-theme=dark]{color-scheme:dark}
body{margin:0;font:.9375rem/1.45 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main{box-sizing:border-box;max-width:30rem;margin:0 auto;padding:18px 20px;display:grid;gap:14px}
i{display:block;border-radius:12px;background:rgb(128 134 150/.18);animation:wait 1.6s ease-in-out infinite alternate}
i:nth-child(1){height:44px;width:45%}i:nth-child(2){height:48px}i:nth-child(3){height:60px}i:nth-child(4){height:280px}
p{margin:0;text-align:center}
button{display:none;justify-self:center;min-height:2.75rem;padding:.375rem 1.25rem;border:1px solid;border-radius:12px;
background:transparent;color:inherit;font:inherit;font-weight:600;cursor:pointer}
svg{position:absolute;inset:160px 0 auto;margin:auto;width:32px;fill:none;stroke:rgb(128 134 150);stroke-width:3;
stroke-linecap:round;animation:turn 1s linear infinite}
[data-state=loading] p{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
[data-state=loading] #mark,:root:not([data-state=loading]) :is(i,#wait){display:none}
:root:not([data-state=loading]) svg{position:static;margin-top:22px;animation:none}
#status{font-size:1.125rem;font-weight:620}
[data-state=failed] button{display:block}
@keyframes wait{to{opacity:.45}}
@keyframes turn{to{rotate:1turn}}
@media (scripting:none){i,svg{display:none}}
@media (prefers-reduced-motion:reduce){i,svg{animation:none}}
`

/** Determined on the server, since not every browser has `getTextInfo`. */
const RIGHT_TO_LEFT = Object.keys(EMBED_TEXTS).filter(
  (locale) => new Intl.Locale(locale).getTextInfo().direction === 'rtl',
)

export interface EmbedPageOptions {
  /** The origins that may embed the cashier; the page accepts messages only from these. */
  readonly embedOrigins: readonly string[]
  /** The path of a small script of the session's page; null: nothing. */
  readonly preload: string | null
}

/**
 * Preloads only a small script, which opens a second connection. On a slow line more would take the line from the
 * session's page, which has the address, its code and its style in one document. The page's script starts the preload by
 * removing its `media`, once the launch has been sent: before it, the preload would take the open connection, and the
 * launch would wait for a new one (120 ms of 750 on a slow phone).
 * @returns the page's HTML with this nonce on its one script, its one style and its preload
 */
export function embedPage({ embedOrigins, preload }: EmbedPageOptions): (nonce: string) => string {
  const script = inlineScript('embed', embedOrigins, EMBED_TEXTS, RIGHT_TO_LEFT)
  return (nonce) => `<!doctype html>
<html lang="en" data-state="loading">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>Cashier</title>
<style nonce="${nonce}">${STYLE}</style>${preload === null ? '' : `\n<link rel="preload" as="script" media="not all" fetchpriority="low" href="${preload}" nonce="${nonce}">`}
</head>
<body>
<main>
<i></i><i></i><i></i><i></i>
<svg viewBox="0 0 32 32" aria-hidden="true"><path id="wait" d="M16 3a13 13 0 0 1 13 13"/><path id="mark" d="M16 3a13 13 0 1 0 .01 0M16 10v6m0 5h.01"/></svg>
<p id="status" role="status"></p>
<p id="again"></p>
<button id="retry" type="button"></button>
<noscript><p>The cashier needs JavaScript. Please switch it on and load this page again.</p></noscript>
</main>
<script nonce="${nonce}">${script.text}</script>
</body>
</html>
`
}
