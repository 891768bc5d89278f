/**
 * `GET /docs`: docs/openapi.json as a page for people, with a form for each call. It has no framework, and is the same
 * for everybody: the key that a reader types stays in the page.
 */
import { PROBLEM_MEANINGS } from '#lib/contract/problem-meanings.ts'
import { PROBLEM_STATUS, type ProblemCode } from '#lib/contract/problems.ts'
import { openApiDocument } from '../../../merchant/openapi/document.ts'
import type { JsonSchema } from '../../../merchant/openapi/json-schema.ts'
import { cspHash, inlineScript } from '../inline-script.ts'
import { READING_STYLE } from '../reading-style.ts'
import { escapeHtml } from '../static-page.ts'
import { inline, type ApiDocument, type ApiOperation } from './document-view.ts'
import { fieldsHtml } from './fields.ts'
import { operationHtml, webhookHtml, type ApiHtmlOptions } from './operations.ts'

/** The style of calls, fields and answers. */
export const API_STYLE = `
.method{padding:.125rem .375rem;border-radius:.375rem;background:var(--accent-soft);font-weight:700}
.fields,.answers{list-style:none;padding:0}
.fields>li,.answers>li{padding:.5rem 0;border-top:1px solid var(--line)}
.fields .fields{margin:.5rem 0 0;padding-inline-start:.875rem}
.type,.must{color:var(--ink-2);font-size:.84375rem;font-weight:400}
.must{color:var(--wait)}
.status{padding:.125rem .375rem;border-radius:.375rem;background:var(--bad-soft);color:var(--bad);font-variant-numeric:tabular-nums}
.status.s2{background:var(--ok-soft);color:var(--ok)}
.copied{position:relative}
.copied pre{padding-inline-end:5rem}
.copy{position:absolute;inset-inline-end:.375rem;top:.375rem;min-height:2.25rem;padding:.125rem .625rem;font-size:.8125rem}
.try{margin:.75rem 0;padding:0 .875rem;border:1px solid var(--line);border-radius:var(--radius-s)}
.try[open]{padding-bottom:.875rem}
.key{display:grid;gap:.25rem}
`
const STYLE = READING_STYLE + API_STYLE

/** A part of the page, with a heading. */
export interface ApiPart {
  readonly id: string
  readonly heading: string
  readonly html: string
}

export interface ApiGroup {
  readonly id: string
  readonly name: string
  /** HTML above the parts, without a heading. */
  readonly introduction: string
  readonly parts: readonly ApiPart[]
}

const anchor = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-')

const partOf = ({ operationId, summary }: ApiOperation, html: string): ApiPart => ({
  id: operationId,
  heading: summary,
  html,
})

const problemRows = (): string =>
  (Object.keys(PROBLEM_STATUS) as ProblemCode[])
    .map(
      (code) =>
        `<li id="problem-${code}"><code class="field">${code}</code> <span class="type">${PROBLEM_STATUS[code]}</span><br>${inline(PROBLEM_MEANINGS[code])}</li>`,
    )
    .join('')

const schemaPart = (
  [name, schema]: readonly [string, JsonSchema],
  schemas: ApiDocument['components']['schemas'],
): ApiPart => ({
  id: `schema-${name}`,
  heading: name,
  html: `<section class="card" id="schema-${name}"><h3>${name}</h3>${fieldsHtml(schema, schemas) || '<p>Any fields.</p>'}</section>`,
})

/** All of docs/openapi.json: the calls by tag, the problem codes, the schemas. */
export function apiGroups(options: ApiHtmlOptions): readonly ApiGroup[] {
  const document = openApiDocument() as unknown as ApiDocument
  const { schemas } = document.components
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => [one, operationHtml(options, method, path, one, schemas)] as const),
  )
  const outbound = Object.entries(document.webhooks).map(
    ([name, { post }]) => [post, webhookHtml(name, post, schemas)] as const,
  )
  const all = [...calls, ...outbound]
  return [
    ...document.tags.map(({ name, description }) => ({
      id: anchor(name),
      name,
      introduction: `<p>${inline(description)}</p>`,
      parts: all.filter(([{ tags }]) => tags[0] === name).map(([one, html]) => partOf(one, html)),
    })),
    { id: 'problems', name: 'Problem codes', introduction: `<ul class="fields">${problemRows()}</ul>`, parts: [] },
    {
      id: 'schemas',
      name: 'Schemas',
      introduction: '',
      parts: Object.entries(schemas).map((one) => schemaPart(one, schemas)),
    },
  ]
}

/** What the document says about the whole. */
export function apiInfo(): { readonly title: string; readonly introduction: string } {
  const { info } = openApiDocument() as unknown as ApiDocument
  return { title: info.title, introduction: `<p>${inline(info.description)}</p>` }
}

/** Groups without calls are links of one list. */
function menu(groups: readonly ApiGroup[]): string {
  const isOfCalls = ({ parts: [first] }: ApiGroup): boolean => first !== undefined && !first.id.startsWith('schema-')
  const list = (name: string, id: string, links: readonly (readonly [id: string, text: string])[]): string =>
    `<h2 id="menu-${id}">${escapeHtml(name)}</h2><ul aria-labelledby="menu-${id}">${links
      .map(([to, text]) => `<li><a href="#${to}">${inline(text)}</a></li>`)
      .join('')}</ul>`
  return [
    ...groups.filter(isOfCalls).map(({ name, id, parts }) =>
      list(
        name,
        id,
        parts.map((part) => [part.id, part.heading] as const),
      ),
    ),
    list(
      'More',
      'more',
      groups.filter((one) => !isOfCalls(one)).map(({ id, name }) => [id, name] as const),
    ),
  ].join('\n')
}

const keyCard = (url: string): string => `<section class="card key needs-script" aria-labelledby="key-title">
<h2 id="key-title">Try the calls here</h2>
<p>Calls go to this cashier, <code>${escapeHtml(url)}</code>, and are real. The key stays in the memory of this page: it is stored nowhere, and leaving or reloading the page forgets it. Take a key with few scopes, made in the console.</p>
<label>Key <input type="password" id="key" autocomplete="off" spellcheck="false"></label>
</section>`

export interface ApiPage {
  readonly html: string
  readonly scriptHash: string
  readonly styleHash: string
}

/** @param url the cashier's `PUBLIC_URL` */
export function apiPage(url: string): ApiPage {
  const { title, introduction } = apiInfo()
  const groups = apiGroups({ url, interactive: true })
  const script = inlineScript('api-page')
  const sections = groups.map(
    (group) => `<section aria-labelledby="${group.id}">
<h2 id="${group.id}">${escapeHtml(group.name)}</h2>
${group.introduction}
${group.parts.map(({ html }) => html).join('\n')}
</section>`,
  )
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the calls</a>
<header class="top"><a class="name" href="#content">${escapeHtml(title)}</a><a class="version" href="/api/openapi.json">openapi.json</a></header>
<div class="frame">
<nav aria-label="Calls"><details class="menu" id="menu"><summary>All calls</summary>
<label class="needs-script">Find a call <input type="search" id="find" autocomplete="off"></label>
${menu(groups)}
</details></nav>
<main id="content" tabindex="-1">
<h1>${escapeHtml(title)}</h1>
${introduction}
${keyCard(url)}
${sections.join('\n')}
</main>
</div>
<script>${script.text}</script>
</body>
</html>
`
  return { html, scriptHash: script.hash, styleHash: cspHash(STYLE) }
}
