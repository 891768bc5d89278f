/** The fields of a schema as HTML. */
import { DECIMAL } from '../../../merchant/openapi/fields.ts'
import type { JsonSchema } from '../../../merchant/openapi/json-schema.ts'
import { alternatives, typeOf, word } from '../../../merchant/openapi/type-words.ts'
import { escapeHtml } from '../static-page.ts'
import { inline } from './document-view.ts'

const SCHEMA_NAME = /\b[A-Z]\w+\b/g

type Schemas = Readonly<Record<string, JsonSchema>>

/** The type in words; the name of a schema leads to its fields. */
export const typeHtml = (schema: JsonSchema, schemas: Schemas): string =>
  inline(typeOf(schema)).replaceAll(SCHEMA_NAME, (name) =>
    Object.hasOwn(schemas, name) ? `<a href="#schema-${name}">${name}</a>` : name,
  )

/** The objects inside a field: its own fields, those of a list's entries, or those of each alternative. */
function inner(schema: JsonSchema, schemas: Schemas): string {
  const items = schema['items'] as JsonSchema | undefined
  if (items !== undefined) return fieldsHtml(items, schemas)
  return fieldsHtml(schema, schemas)
}

/** Empty for a schema without named fields. */
export function fieldsHtml(schema: JsonSchema, schemas: Schemas): string {
  const either = alternatives(schema)
  if (either)
    return either
      .map((one) => inner(one, schemas))
      .filter((html) => html !== '')
      .join('<p>or</p>')
  const properties = Object.entries((schema['properties'] ?? {}) as Schemas)
  if (properties.length === 0) return ''
  const required = new Set((schema['required'] ?? []) as readonly string[])
  const rows = properties.map(([name, field]) => {
    const meaning = word(field['description']).replace(` ${DECIMAL}`, '')
    const must = required.has(name) ? ' <strong class="must">required</strong>' : ''
    return `<li><code class="field">${escapeHtml(name)}</code> <span class="type">${typeHtml(field, schemas)}</span>${must}<br>${inline(meaning)}${inner(field, schemas)}</li>`
  })
  return `<ul class="fields">${rows.join('')}</ul>`
}
