/** The TypeScript types of packages/server, made from the schemas of docs/openapi.json. */
import type { JsonSchema } from '#lib/server/merchant/openapi/json-schema.ts'

const HEAD = `/** The shapes of the merchant API. Written by \`npm run reference\`. */\n`

/** The doc comment of a property. */
const comment = (text: unknown): string => (typeof text === 'string' ? `/** ${text.replaceAll('*/', '* /')} */\n` : '')

const literal = (value: unknown): string => JSON.stringify(value)

function objectType(schema: JsonSchema): string {
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>)
  const required = new Set((schema['required'] ?? []) as readonly string[])
  if (properties.length === 0) {
    const values = schema['additionalProperties']
    const isSchema = typeof values === 'object' && values !== null && Object.keys(values).length > 0
    return `{ readonly [name: string]: ${isSchema ? typeFor(values as JsonSchema) : 'unknown'} }`
  }
  const fields = properties.map(([name, field]) => {
    const optional = required.has(name) ? '' : '?'
    return `${comment(field['description'])}readonly ${name}${optional}: ${typeFor(field)}${optional && ' | undefined'}`
  })
  return `{\n${fields.join('\n')}\n}`
}

/** The source text of a TypeScript type. @throws RangeError for an unknown kind of schema */
function typeFor(schema: JsonSchema): string {
  if (typeof schema['$ref'] === 'string') return schema['$ref'].replace('#/components/schemas/', '')
  const either = (schema['anyOf'] ?? schema['oneOf']) as readonly JsonSchema[] | undefined
  if (either) return either.map(typeFor).join(' | ')
  if (schema['const'] !== undefined) return literal(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map(literal).join(' | ')
  if (Array.isArray(schema['type']))
    return schema['type'].map((type: string) => typeFor({ ...schema, type })).join(' | ')
  switch (schema['type']) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema['type']
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return `readonly (${typeFor((schema['items'] ?? {}) as JsonSchema)})[]`
    case 'object':
      return objectType(schema)
    case undefined:
      return 'unknown'
    default:
      throw new RangeError(`no TypeScript type for ${literal(schema)}`)
  }
}

/** @param document the content of docs/openapi.json */
export function apiTypes(document: JsonSchema): string {
  const { schemas } = document['components'] as { readonly schemas: Readonly<Record<string, JsonSchema>> }
  return [HEAD, ...Object.entries(schemas).map(([name, schema]) => `export type ${name} = ${typeFor(schema)}\n`)].join(
    '\n',
  )
}
