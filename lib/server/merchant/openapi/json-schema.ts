/** From zod to the JSON Schema of docs/openapi.json: named components, and the meaning of each field. */
import * as z from 'zod/mini'
import { FIELDS } from './fields.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The meaning of a field of a schema, or of an operation's query. */
const meaningOf = (owner: string, name: string) => FIELDS[`${owner}.${name}`] ?? FIELDS[name]

/** Gives every property its description. @throws RangeError that names a field without one */
function described(schema: unknown, owner: string): unknown {
  if (Array.isArray(schema)) return schema.map((one) => described(one, owner))
  if (!isObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key !== 'properties' || !isObject(value)) return [key, key === 'enum' ? value : described(value, owner)]
      const properties = Object.entries(value).map(([name, property]) => {
        const meaning = meaningOf(owner, name)
        if (meaning === undefined) throw new RangeError(`lib/server/merchant/openapi/fields.ts lacks ${owner}.${name}`)
        return [name, { ...(described(property, owner) as JsonSchema), ...meaning }]
      })
      return [key, Object.fromEntries(properties) as unknown]
    }),
  )
}

const clean = ({ $schema: _schema, $id: _id, id: _name, ...rest }: Record<string, unknown>): JsonSchema => rest

/**
 * Schemas that refer to one another by name: `#/components/schemas/{name}`. A request has only these fields; an answer
 * has at least these, since fields may be added.
 */
export function componentSchemas(
  named: Readonly<Record<string, z.core.$ZodType>>,
): Readonly<Record<string, JsonSchema>> {
  const registry = z.registry<{ id?: string }>()
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
  })
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, described(clean(schema), name) as JsonSchema]),
  )
}

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path'
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
  readonly example?: string
}

const withoutNull = (schema: Record<string, unknown>): Record<string, unknown> => {
  const { anyOf, default: initial, ...rest } = schema
  const choices = (Array.isArray(anyOf) ? anyOf : []) as readonly JsonSchema[]
  const only = choices.find((one) => one['type'] !== 'null')
  return { ...rest, ...only, ...(initial !== null && initial !== undefined && { default: initial }) }
}

/** The parameters of a query: numbers as numbers, and no type that a query cannot express, such as null. */
export function queryParameters(schema: z.core.$ZodType, operation: string): readonly Parameter[] {
  const read = (io: 'input' | 'output') => z.toJSONSchema(schema, { io, unrepresentable: 'any' }).properties ?? {}
  const [inputs, outputs] = [read('input'), read('output')]
  return Object.entries(outputs).map(([name, value]) => {
    const plain = withoutNull(value as Record<string, unknown>)
    const initial = (inputs[name] as Record<string, unknown> | undefined)?.['default']
    const isCount = plain['type'] === 'number'
    const { description = '', ...known } = meaningOf(operation, name) ?? {}
    return {
      name,
      in: 'query',
      required: false,
      description,
      schema: {
        ...plain,
        ...known,
        ...(isCount && { type: 'integer' }),
        ...(isCount && typeof initial === 'string' && { default: Number(initial) }),
      },
    }
  })
}
