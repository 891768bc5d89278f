/** The JSON Schema of docs/openapi.json in words, for people. */
import type { JsonSchema } from './json-schema.ts'

const code = (text: string): string => `\`${text}\``

/** A value of a schema as text; empty if the schema lacks it. */
export const word = (value: unknown): string =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : ''

/** The schemas of which a value meets one. */
export const alternatives = (schema: JsonSchema): readonly JsonSchema[] | undefined =>
  (schema['oneOf'] ?? schema['anyOf']) as readonly JsonSchema[] | undefined

/** A value's type in words, with names and values in backticks. */
export function typeOf(schema: JsonSchema): string {
  const either = alternatives(schema)
  if (either) return either.map(typeOf).join(' or ')
  if (typeof schema['$ref'] === 'string') return schema['$ref'].replace('#/components/schemas/', '')
  if (schema['const'] !== undefined) return code(word(schema['const']))
  if (Array.isArray(schema['enum'])) return schema['enum'].map((one) => code(word(one))).join(', ')
  if (schema['type'] === 'array') return `list of ${typeOf((schema['items'] ?? {}) as JsonSchema)}`
  if (Array.isArray(schema['type'])) return schema['type'].map(String).join(' or ')
  const pattern =
    schema['pattern'] === undefined || schema['format'] !== undefined ? '' : ` ${code(word(schema['pattern']))}`
  return `${word(schema['format'] ?? schema['type'] ?? 'any')}${pattern}`
}
