/** The parts of docs/openapi.json that the page shows, and its texts as HTML. */
import { isProblemCode } from '#lib/contract/problems.ts'
import type { JsonSchema, Parameter } from '../../../merchant/openapi/json-schema.ts'
import { escapeHtml } from '../static-page.ts'

export interface Content {
  readonly schema: JsonSchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>
}

interface Described {
  readonly description: string
  readonly content?: Readonly<Record<string, Content>>
}

export interface ApiOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security: readonly { readonly merchantApiKey?: readonly string[] }[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, Described>>
}

export interface ApiDocument {
  readonly info: { readonly title: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: ApiOperation }>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

/** An example on lines of its own. */
export const pretty = (value: unknown): string => JSON.stringify(value, null, 2)

const LINK = /\[([^[\]]*)\]\([^()]*\)/g

/** A text of the document as HTML: names in backticks become code, and problem codes lead to their meaning. */
export const inline = (text: string): string =>
  text
    .replaceAll(LINK, '$1')
    .split('`')
    .map((part, at) => {
      if (at % 2 === 0) return escapeHtml(part)
      const code = `<code>${escapeHtml(part)}</code>`
      return isProblemCode(part) ? `<a href="#problem-${part}">${code}</a>` : code
    })
    .join('')
