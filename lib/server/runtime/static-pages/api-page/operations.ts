/** A call of the merchant API as HTML: what it takes, what it answers, as a command, and as a form. */
import type { JsonSchema, Parameter } from '../../../merchant/openapi/json-schema.ts'
import { word } from '../../../merchant/openapi/type-words.ts'
import { escapeHtml } from '../static-page.ts'
import { inline, pretty, type Content, type ApiOperation } from './document-view.ts'
import { fieldsHtml, typeHtml } from './fields.ts'

type Schemas = Readonly<Record<string, JsonSchema>>

const PROBLEM = 'application/problem+json'

const block = (text: string): string => `<pre><code>${escapeHtml(text)}</code></pre>`

/** With a button that copies it. @param name what it is, for the button's name */
const copied = (text: string, name: string): string =>
  `<div class="copied">${block(text)}<button type="button" class="copy needs-script" aria-label="Copy ${escapeHtml(name)}">Copy</button></div>`

/** A single-quoted word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The path with the document's examples in place of its parameters. */
const pathWithExamples = (path: string, parameters: readonly Parameter[]): string =>
  parameters.reduce((text, { name, example }) => text.replace(`{${name}}`, example ?? ''), path)

const jsonBody = ({ requestBody }: ApiOperation): Content | undefined => requestBody?.content['application/json']

export function curlCommand(url: string, method: string, path: string, operation: ApiOperation): string {
  const body = jsonBody(operation)
  return [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} ${quoted(url + pathWithExamples(path, operation.parameters ?? []))}`,
    `  -H "Authorization: Bearer $MERCHANT_API_KEY"`,
    ...(body ? [`  -H 'Content-Type: application/json'`, `  -d ${quoted(JSON.stringify(body.example))}`] : []),
  ].join(' \\\n')
}

function parameterList(parameters: readonly Parameter[], schemas: Schemas): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(({ name, in: where, description, schema }) => {
    const initial =
      schema['default'] === undefined ? '' : ` Default: <code>${escapeHtml(word(schema['default']))}</code>.`
    return `<li><code class="field">${escapeHtml(name)}</code> <span class="type">in the ${where}, ${typeHtml(schema, schemas)}</span><br>${inline(description)}${initial}</li>`
  })
  return `<h4>Parameters</h4><ul class="fields">${rows.join('')}</ul>`
}

const resolved = (schema: JsonSchema, schemas: Schemas): JsonSchema =>
  schemas[word(schema['$ref']).replace('#/components/schemas/', '')] ?? schema

function bodyHtml(body: Content | undefined, schemas: Schemas): string {
  if (body === undefined) return ''
  const examples = Object.values(body.examples ?? {}).map(
    ({ summary, value }) => `<details><summary>${inline(summary)}</summary>${block(pretty(value))}</details>`,
  )
  const example = body.example === undefined ? '' : block(pretty(body.example))
  return `<h4>Body</h4>${fieldsHtml(resolved(body.schema, schemas), schemas)}${example}${examples.join('')}`
}

function answersHtml({ responses }: ApiOperation, schemas: Schemas): string {
  const rows = Object.entries(responses).map(([status, { description, content = {} }]) => {
    const [[type, { schema, example }] = ['', { schema: {}, example: undefined }]] = Object.entries(content)
    const head = `<strong class="status s${status.slice(0, 1)}">${escapeHtml(status)}</strong> ${inline(description.replaceAll(', `', ' `'))}`
    if (type === '' || type === PROBLEM) return `<li>${head}</li>`
    const shown = typeof example === 'string' ? example : pretty(example)
    const shape = type === 'text/csv' ? 'A CSV file.' : `A body: ${typeHtml(schema, schemas)}.`
    return `<li>${head} ${shape}${example === undefined ? '' : block(shown)}</li>`
  })
  return `<h4>Answers</h4><ul class="answers">${rows.join('')}</ul>`
}

function control({ name, in: where, schema, example = '' }: Parameter): string {
  const data = `data-in="${where}" data-name="${escapeHtml(name)}"`
  const choices = schema['enum']
  const field = Array.isArray(choices)
    ? `<select ${data}>${['', ...choices.map(word)].map((one) => `<option>${escapeHtml(one)}</option>`).join('')}</select>`
    : `<input ${data} value="${escapeHtml(example)}" autocomplete="off" spellcheck="false">`
  return `<label><code>${escapeHtml(name)}</code> ${field}</label>`
}

function form(method: string, path: string, operation: ApiOperation): string {
  const body = jsonBody(operation)
  const verb = method.toUpperCase()
  const fields = (operation.parameters ?? []).map(control).join('')
  const area = body
    ? `<label>Body <textarea data-in="body" spellcheck="false">${escapeHtml(pretty(body.example))}</textarea></label>`
    : ''
  const note = method === 'get' ? '' : '<p class="note">This changes data of this cashier.</p>'
  return `<details class="try needs-script" data-method="${verb}" data-path="${escapeHtml(path)}">
<summary>Try it: ${inline(operation.summary)}</summary>
${fields}${area}${note}<button type="button" class="main send">Send ${verb}</button>
<p class="result" role="status"></p><pre class="reply" hidden></pre>
</details>`
}

export interface ApiHtmlOptions {
  /** The cashier's `PUBLIC_URL`. */
  readonly url: string
  /** Whether the page has the script that copies and sends. */
  readonly interactive: boolean
}

export function operationHtml(
  { url, interactive }: ApiHtmlOptions,
  method: string,
  path: string,
  operation: ApiOperation,
  schemas: Schemas,
): string {
  const { operationId, summary, description = '', security, parameters = [] } = operation
  const scope = security.flatMap(({ merchantApiKey = [] }) => merchantApiKey).map((one) => `<code>${one}</code>`)
  const command = curlCommand(url, method, path, operation)
  return `<article class="card" id="${operationId}">
<h3>${inline(summary)}</h3>
<p><span class="method">${method.toUpperCase()}</span> <span class="path">${escapeHtml(path)}</span></p>
<p>${inline(description)}</p>
<p class="note">A key with scopes needs ${scope.join(', ')}.</p>
${parameterList(parameters, schemas)}
${bodyHtml(jsonBody(operation), schemas)}
<h4>As a command</h4>
${interactive ? copied(command, `the command: ${summary}`) + form(method, path, operation) : block(command)}
${answersHtml(operation, schemas)}
</article>`
}

/** A call that the merchant's backend gets. */
export const webhookHtml = (name: string, operation: ApiOperation, schemas: Schemas): string =>
  `<article class="card" id="${operation.operationId}">
<h3>${inline(operation.summary)}</h3>
<p><span class="method">POST</span> <span class="path">${escapeHtml(name)}</span></p>
<p>${inline(operation.description ?? '')}</p>
${bodyHtml(jsonBody(operation), schemas)}
${answersHtml(operation, schemas)}
</article>`
