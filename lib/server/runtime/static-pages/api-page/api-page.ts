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
import { inline, type ApiDocument, type Operation } from './document-view.ts'
import { fieldsHtml } from './fields.ts'
import { operationHtml, webhookHtml } from './operations.ts'

const STYLE = `${READING_STYLE}
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

interface TaggedOperation {
  readonly tag: string | undefined
  readonly operation: Operation
  readonly html: string
}

function operationsOf(document: ApiDocument, url: string): readonly TaggedOperation[] {
  const { schemas } = document.components
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      operation,
      html: operationHtml(url, method, path, operation, schemas),
    })),
  )
  const outbound = Object.entries(document.webhooks).map(([name, { post }]) => ({
    operation: post,
    html: webhookHtml(name, post, schemas),
  }))
  return [...calls, ...outbound].map((one) => ({ ...one, tag: one.operation.tags[0] }))
}

const anchor = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-')

const menuPart = (name: string, id: string, links: readonly (readonly [id: string, text: string])[]): string =>
  `<h2 id="menu-${id}">${escapeHtml(name)}</h2><ul aria-labelledby="menu-${id}">${links
    .map(([to, text]) => `<li><a href="#${to}">${inline(text)}</a></li>`)
    .join('')}</ul>`

const problemRows = (): string =>
  (Object.keys(PROBLEM_STATUS) as ProblemCode[])
    .map(
      (code) =>
        `<li id="problem-${code}"><code class="field">${code}</code> <span class="type">${PROBLEM_STATUS[code]}</span><br>${inline(PROBLEM_MEANINGS[code])}</li>`,
    )
    .join('')

const schemaCards = (schemas: Readonly<Record<string, JsonSchema>>): string =>
  Object.entries(schemas)
    .map(
      ([name, schema]) =>
        `<section class="card" id="schema-${name}"><h3>${name}</h3>${fieldsHtml(schema, schemas) || '<p>Any fields.</p>'}</section>`,
    )
    .join('\n')

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
  const document = openApiDocument() as unknown as ApiDocument
  const { schemas } = document.components
  const operations = operationsOf(document, url)
  const of = (tag: string): readonly TaggedOperation[] => operations.filter((one) => one.tag === tag)
  const script = inlineScript('api-page')
  const menu = [
    ...document.tags.map(({ name }) =>
      menuPart(
        name,
        anchor(name),
        of(name).map(({ operation }) => [operation.operationId, operation.summary] as const),
      ),
    ),
    menuPart('More', 'more', [
      ['problems', 'Problem codes'],
      ['schemas', 'Schemas'],
    ]),
  ]
  const parts = document.tags.map(
    ({ name, description }) => `<section aria-labelledby="${anchor(name)}">
<h2 id="${anchor(name)}">${escapeHtml(name)}</h2>
<p>${inline(description)}</p>
${of(name)
  .map(({ html }) => html)
  .join('\n')}
</section>`,
  )
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(document.info.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the calls</a>
<header class="top"><a class="name" href="#content">${escapeHtml(document.info.title)}</a><a class="version" href="/api/openapi.json">openapi.json</a></header>
<div class="frame">
<nav aria-label="Calls"><details class="menu" id="menu"><summary>All calls</summary>
<label class="needs-script">Find a call <input type="search" id="find" autocomplete="off"></label>
${menu.join('\n')}
</details></nav>
<main id="content" tabindex="-1">
<h1>${escapeHtml(document.info.title)}</h1>
<p>${inline(document.info.description)}</p>
${keyCard(url)}
${parts.join('\n')}
<section aria-labelledby="problems"><h2 id="problems">Problem codes</h2><ul class="fields">${problemRows()}</ul></section>
<section aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>
${schemaCards(schemas)}
</section>
</main>
</div>
<script>${script.text}</script>
</body>
</html>
`
  return { html, scriptHash: script.hash, styleHash: cspHash(STYLE) }
}
