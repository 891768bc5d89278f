/** Validation against docs/openapi.json, for tests: of the document's examples and of a route's answers. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

type Json = Readonly<Record<string, unknown>>

/** An answer with an undocumented field is as wrong as an answer with a missing field. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).map(([key, value]) => [key, key === 'enum' ? value : closed(value)] as const)
  const copy: Record<string, unknown> = Object.fromEntries(entries)
  if (copy['type'] === 'object' && copy['properties'] !== undefined) copy['additionalProperties'] ??= false
  return copy
}

export interface Answered {
  readonly method: string
  /** As in the document, with `{names}`. */
  readonly path: string
  readonly status: number
  readonly type: string
}

export function openApiValidator(document: Json) {
  const ajv = new Ajv2020({ strict: true, allErrors: true, strictTypes: false })
  formats(ajv)
  ajv.addKeyword('components')
  const components = closed(document['components']) as Json
  ajv.addSchema({ $id: 'https://cashier.test/api', components })
  const at = (pointer: string, value: unknown): readonly string[] => {
    const validate = ajv.compile({ $ref: `https://cashier.test/api${pointer}` })
    return validate(value)
      ? []
      : (validate.errors ?? []).map(
          ({ instancePath, message, params }) => `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`,
        )
  }
  const responses = ({ method, path }: Answered): Json => {
    const operations = (document['paths'] as Record<string, Record<string, Json> | undefined>)[path]
    return (operations?.[method.toLowerCase()]?.['responses'] ?? {}) as Json
  }
  return {
    /** Faults of a value by a schema's reference, such as `#/components/schemas/Problem`. */
    at,
    /** Faults of an answer's body; pass undefined for an answer without a body. */
    answer(answered: Answered, body: unknown): readonly string[] {
      const response = responses(answered)[String(answered.status)] as Json | undefined
      if (response === undefined)
        return [`${answered.method} ${answered.path} has no status ${String(answered.status)}`]
      const content = (response['content'] ?? {}) as Record<string, { schema: { $ref?: string } } | undefined>
      if (Object.keys(content).length === 0) return body === undefined ? [] : ['there must be no body']
      const media = content[answered.type]
      if (media === undefined) return [`no content of the type ${answered.type}`]
      if (media.schema.$ref !== undefined) return at(media.schema.$ref, body)
      return typeof body === 'string' ? [] : ['the body must be text']
    },
    /** The documented path that matches a URL's path. */
    pathOf(pathname: string): string | undefined {
      return Object.keys(document['paths'] as Json).find((path) =>
        new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
      )
    },
  }
}

export const readDocument = (): Json => JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Json
