/** The frame of each page of the site: header, navigation, content. */
import { API_STYLE } from '#lib/server/runtime/static-pages/api-page/api-page.ts'
import { READING_STYLE } from '#lib/server/runtime/static-pages/reading-style.ts'
import { escapeHtml } from '#lib/server/runtime/static-pages/static-page.ts'
import type { NavigationGroup } from './navigation.ts'
import type { Section } from './render-markdown.ts'
import { placeOf, wayTo } from './site-files.ts'

export const SITE_STYLE = `${READING_STYLE}${API_STYLE}
pre[tabindex]{white-space:pre;overflow-x:auto;overflow-wrap:normal}
figure{display:inline-block;margin:0 1rem 1rem 0;width:min(22rem,100%);vertical-align:top}
figcaption{color:var(--ink-2);font-size:.84375rem}
.top search{flex:1 1 12rem;max-width:24rem;position:relative}
.top label{margin:0}
.top input,.top select{min-height:2.5rem}
.top select{width:auto}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
#results{position:absolute;inset-inline:0;top:3rem;max-height:70dvh;overflow-y:auto;margin:0;padding:.375rem;list-style:none;
border:1px solid var(--line);border-radius:var(--radius-s);background:var(--surface);box-shadow:0 8px 24px rgb(0 0 0/.16)}
#results a{display:block;padding:.5rem;border-radius:.5rem}
#results a:is(:hover,:focus){background:var(--accent-soft)}
#results span{display:block;color:var(--ink-2);font-size:.8125rem}
.tabs>[role=tablist]{display:flex;flex-wrap:wrap;gap:.25rem}
.tabs [role=tab]{min-height:2.5rem;border:0;background:none;color:var(--ink-2)}
.tabs [aria-selected=true]{background:var(--accent-soft);color:var(--ink)}
[data-scripts] .tabs h4{display:none}
.contents{padding:0 1rem;border:1px solid var(--line);border-radius:var(--radius-s);background:var(--surface)}
@media (min-width:60rem){main{max-width:52rem}}
`

/** Nothing from other hosts. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"

/** Below this number of parts a page needs no table of contents. */
const FEW_PARTS = 4

export interface SitePage {
  /** Its place in the site. */
  readonly place: string
  readonly title: string
  readonly sections: readonly Section[]
  /** The same as Markdown, if it is a document. */
  readonly markdown?: string
}

export interface SiteFacts {
  readonly version: string
  readonly navigation: readonly NavigationGroup[]
}

function menu({ navigation }: SiteFacts, place: string): string {
  const groups = navigation.map(({ name, items }, at) => {
    const links = items.map(({ text, file, place: given }) => {
      const to = given ?? placeOf(file)
      const current = to === place ? ' aria-current="page"' : ''
      return `<li><a href="${wayTo(place, to)}"${current}>${escapeHtml(text)}</a></li>`
    })
    return `<h2 id="menu-${at}">${escapeHtml(name)}</h2><ul aria-labelledby="menu-${at}">${links.join('')}</ul>`
  })
  return `<nav aria-label="Documents"><details class="menu" id="menu"><summary>All documents</summary>${groups.join('\n')}</details></nav>`
}

function contents(sections: readonly Section[]): string {
  const parts = sections.filter(({ html }) => html.startsWith('<h2'))
  if (parts.length < FEW_PARTS) return ''
  const links = parts.map(({ anchor, heading }) => `<li><a href="#${anchor}">${escapeHtml(heading)}</a></li>`)
  return `<details class="contents"><summary>On this page</summary><ul>${links.join('')}</ul></details>`
}

export function pageHtml({ place, title, sections, markdown }: SitePage, facts: SiteFacts): string {
  const root = wayTo(place, '')
  const [head = { html: '' }, ...rest] = sections
  const source =
    markdown === undefined ? '' : `\n<p class="note"><a href="${wayTo(place, markdown)}">This page as Markdown</a></p>`
  return `<!doctype html>
<html lang="en" data-root="${root === '' ? './' : root}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}${title === 'Cashier' ? '' : ' · Cashier'}</title>
<link rel="stylesheet" href="${root}site.css">
<script src="${root}site.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="top"><a class="name" href="${root}index.html">Cashier</a>
<span class="version">${escapeHtml(facts.version)}</span>
<label class="needs-script"><span class="hidden">Version</span><select id="version" hidden></select></label>
<search class="needs-script"><label><span class="hidden">Search</span><input type="search" id="search" placeholder="Search" autocomplete="off"></label>
<p class="hidden" role="status" id="found"></p><ol id="results" hidden></ol></search></header>
<div class="frame">
${menu(facts, place)}
<main id="content" tabindex="-1">
${head.html}
${contents(sections)}
${rest.map(({ html }) => html).join('\n')}${source}
</main>
</div>
</body>
</html>
`
}
