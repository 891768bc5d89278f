/** docs/reference/merchant-api.md: the merchant API to read, made from what docs/openapi.json is made of. */
import { type JsonSchema } from '#lib/server/merchant/openapi/json-schema.ts'
import { MERCHANT_CALLS, type DescribedCall } from '#lib/server/merchant/openapi/merchant-calls.ts'
import { OUTBOUND_CALLS, type OutboundCall } from '#lib/server/merchant/openapi/outbound-calls.ts'
import { PROBLEM_STATUS } from '#lib/contract/problems.ts'

const HEAD = `<!-- Written by \`npm run openapi\`. -->

# Reference of the merchant API

Each call of the merchant's backend, and each call that it gets. The same for programs: [openapi.json](../openapi.json), also at \`GET /api/openapi.json\` of a running cashier. [integrating.md](../integrating.md) says how to use it; [money.md](../explanation/money.md#merchant-api) has the details.

In the examples, \`CASHIER\` is the cashier's \`PUBLIC_URL\` and \`MERCHANT_API_KEY\` the key. Amounts are decimal strings, times ISO 8601 in UTC. Fields may be added to answers and events: ignore what you do not know.

\`\`\`sh
export CASHIER=https://cashier.example.com MERCHANT_API_KEY=…
\`\`\`

A failure is \`application/problem+json\`, with \`code\` to switch on. Every call may be 401 \`unauthenticated\`, 500 \`internal\` or 503 \`store_unavailable\`; one with a body 413 \`payload_too_large\` or 415 \`unsupported_media_type\` too.
`

const block = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``
const json = (value: unknown): string => block('json', JSON.stringify(value, null, 2))
/** A word of a schema; none for what it lacks. */
const word = (value: unknown): string => (['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '')
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const alternatives = (schema: JsonSchema): readonly JsonSchema[] | undefined =>
  (schema['oneOf'] ?? schema['anyOf']) as readonly JsonSchema[] | undefined

/** What a value may be, in words. */
function typeOf(schema: JsonSchema): string {
  const either = alternatives(schema)
  if (either) return either.map(typeOf).join(' or ')
  if (typeof schema['$ref'] === 'string') return schema['$ref'].replace('#/components/schemas/', '')
  if (schema['const'] !== undefined) return `\`${word(schema['const'])}\``
  if (Array.isArray(schema['enum'])) return schema['enum'].map((one) => `\`${word(one)}\``).join(', ')
  if (schema['type'] === 'array') return `list of ${typeOf((schema['items'] ?? {}) as JsonSchema)}`
  if (Array.isArray(schema['type'])) return schema['type'].map(String).join(' or ')
  const pattern =
    schema['pattern'] === undefined || schema['format'] !== undefined ? '' : ` \`${word(schema['pattern'])}\``
  return `${word(schema['format'] ?? schema['type'] ?? 'any')}${pattern}`
}

function fieldTable(schema: JsonSchema): string {
  const either = alternatives(schema)
  if (either) return either.map(fieldTable).join('\n\nor\n\n')
  const required = new Set((schema['required'] ?? []) as readonly string[])
  const rows = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>).map(
    ([name, field]) =>
      `| \`${name}\` | ${required.has(name) ? 'yes' : ''} | ${cell(typeOf(field))} | ${cell(word(field['description']))} |`,
  )
  return ['| field | required | type | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

function curl({ method, path, body, query }: DescribedCall): string {
  const address = `"$CASHIER/api/merchant${path}${query && path === '/events' ? '?limit=100' : ''}"`
  const lines = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${address}`,
    '-H "Authorization: Bearer $MERCHANT_API_KEY"',
  ]
  if (body) lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(body.example)}'`)
  return block(
    'sh',
    lines
      .join(' \\\n  ')
      .replaceAll('{user_reference_id}', 'user-81f3')
      .replaceAll(/\{(\w+)\}/g, '$$$1'),
  )
}

type Described = Readonly<Record<string, JsonSchema>>

function operationSection(one: DescribedCall, schemas: Described, parameters: readonly JsonSchema[]): string {
  const inQuery = parameters.filter((parameter) => parameter['in'] === 'query')
  const rows = inQuery.map((given) => {
    const schema = given['schema'] as JsonSchema
    const initial = schema['default'] === undefined ? '' : ` Default: \`${word(schema['default'])}\`.`
    return `| \`${word(given['name'])}\` | ${cell(typeOf(schema))} | ${cell(word(given['description']))}${initial} |`
  })
  const [first] = one.replies
  const problems = one.problems.map((code) => `${PROBLEM_STATUS[code]} \`${code}\``)
  return [
    `### ${one.summary}`,
    `\`${one.method.toUpperCase()} /api/merchant${one.path}\``,
    one.description ?? '',
    curl(one),
    rows.length > 0 ? ['| query | type | meaning |', '| --- | --- | --- |', ...rows].join('\n') : '',
    one.body ? fieldTable(schemas[one.body.name] ?? {}) : '',
    ...one.replies.map(({ status, description }) => `**${status}** ${description}`),
    first?.example === undefined ? '' : json(first.example),
    problems.length > 0 ? `Problems: ${problems.join(', ')}.` : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function outboundSection({ name, summary, description, examples, answer }: OutboundCall): string {
  const shown = Object.values(examples)
  const parts = shown.flatMap(({ summary: what, value }) => [shown.length > 1 ? `**${what}.**` : '', json(value)])
  const reply = answer.example === undefined ? '' : json(answer.example)
  return [`### ${summary}: \`${name}\``, description, ...parts, `**You answer:** ${answer.description}`, reply]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** @param document the content of docs/openapi.json */
export function referencePage(document: JsonSchema): string {
  const { schemas } = document['components'] as { readonly schemas: Described }
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>
  const sections = MERCHANT_CALLS.map((one) => {
    const described = paths[`/api/merchant${one.path}`]?.[one.method] ?? {}
    return operationSection(one, schemas, (described['parameters'] ?? []) as readonly JsonSchema[])
  })
  return [
    HEAD,
    '## Calls',
    ...sections,
    '## Calls that you get',
    'Signed: [how to verify](../integrating.md#the-signature).',
    ...OUTBOUND_CALLS.map(outboundSection),
    '',
  ].join('\n\n')
}
