/** The page without a framework that answers `/launch`. */
import { cspHash } from './inline-script.ts'
import type { Locale } from '#lib/contract/locales.ts'
import { documentPolicy, type PublicSettings } from '../http/response-headers.ts'
import { TextAnswer } from '../http/answer.ts'

/** The pages' colours (app/globals.css), and the reader's text size. */
const STYLE = `
:root{color-scheme:light dark;background:light-dark(#fff,#13161d);color:light-dark(#0d1220,#f2f4f8)}
body{margin:0;overflow-wrap:break-word;font:.9375rem/1.45 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main{box-sizing:border-box;max-width:34rem;margin:0 auto;padding:4.5rem min(1.25rem,6vw);display:grid;
grid-template-columns:minmax(0,1fr);gap:.875rem;text-align:center}
p{margin:0;color:light-dark(#525b6e,#aab2c2);text-wrap:balance}
button{justify-self:center;min-height:3rem;padding:.375rem 1.25rem;border:1px solid;border-radius:12px;background:transparent;
color:inherit;font:inherit;font-weight:600;cursor:pointer}
`
const STYLE_HASH = cspHash(STYLE)

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for HTML and attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '')

export interface StaticPage {
  readonly locale: Locale
  readonly title: string
  /** HTML for `main`; the caller escapes outside input. */
  readonly main: string
  /** The script that runs at its end. */
  readonly script: { readonly text: string; readonly hash: string }
}

const htmlOf = ({ locale, title, main, script }: StaticPage): string => `<!doctype html>
<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${main}
</main>
<script>${script.text}</script>
</body>
</html>
`

/** The page with its own policy; no cache stores it. */
export const staticPageResponse = (facts: PublicSettings, status: number, page: StaticPage): TextAnswer =>
  new TextAnswer(htmlOf(page), {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': documentPolicy(facts, { scripts: [page.script.hash], styles: [STYLE_HASH] }),
    },
  })
