/** docs/reference/merchant-api.md: the merchant API for people, made from the source of docs/openapi.json. */
import { DECIMAL, FIELDS } from '#lib/server/merchant/openapi/fields.ts'
import { type JsonSchema } from '#lib/server/merchant/openapi/json-schema.ts'
import type { DescribedCall } from '#lib/server/merchant/openapi/described-call.ts'
import { alternatives, typeOf, word } from '#lib/server/merchant/openapi/type-words.ts'
import { MERCHANT_CALLS } from '#lib/server/merchant/openapi/merchant-calls.ts'
import { OUTBOUND_CALLS, type OutboundCall } from '#lib/server/merchant/openapi/outbound-calls.ts'
import { PROBLEM_STATUS } from '#lib/contract/problems.ts'
import { code, jsonBlock, linked, paragraphs, markdownList, WRITTEN } from './markdown.ts'

const HEAD = `# Merchant API

Each call that the merchant's backend makes, and each call that it gets. [openapi.json](../openapi.json), also served at \`/api/openapi.json\`, has types and examples; \`/docs\` of a running cashier has a form for each call. [The guide](../guides/backend.md) says how to use it.

\`CASHIER\` is the cashier's \`PUBLIC_URL\`. Amounts are decimal strings, times ISO 8601 in UTC. Answers and events may get new fields: ignore what you do not know.

\`\`\`sh
export CASHIER=https://cashier.example.com MERCHANT_API_KEY=…
curl -H "Authorization: Bearer $MERCHANT_API_KEY" "$CASHIER/api/merchant/sessions" \\
  -H "Content-Type: application/json" -d '{"user_reference_id": "user-81f3"}'
\`\`\`

A [key](../guides/operate.md#keys-with-scopes) made in the console needs the scope in parentheses.

Lists take \`limit\` (1 to 1000, 100 by default) and \`after\`, an opaque cursor: store \`next_cursor\` of an answer as text, and pass it as \`after\` in the next call. An empty page is the end. With \`user_reference_id\` in the query, statement and lists, but feed and quarantine, are of one user.

Besides the problems below, every call may get 401 \`unauthenticated\`, 403 \`scope_required\`, 422 \`invalid_request\`, 500 \`internal\` or 503 \`store_unavailable\`; a call with a body also 413 \`payload_too_large\` or 415 \`unsupported_media_type\`. [Problem codes](problem-codes.md) explains them.`

/** A description without the sentence on decimals, which the head of the page has for all amounts. */
const meaning = (described: JsonSchema): string => linked(word(described['description']).replace(` ${DECIMAL}`, ''))

function fieldList(schema: JsonSchema): string {
  const either = alternatives(schema)
  if (either) return either.map(fieldList).join('\n\nor\n\n')
  const required = new Set((schema['required'] ?? []) as readonly string[])
  const rows = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>).map(
    ([name, field]) =>
      [`${required.has(name) ? `**${code(name)}**` : code(name)} (${typeOf(field)})`, meaning(field)] as const,
  )
  return markdownList(rows)
}

type Described = Readonly<Record<string, JsonSchema>>

/** The parameters of every list, which the head of the page explains once. */
const OF_EVERY_LIST: ReadonlySet<unknown> = new Set(
  ['after', 'limit', 'user_reference_id'].map((name) => FIELDS[name]?.description),
)

function queryList(parameters: readonly JsonSchema[]): string {
  const own = parameters.filter((given) => given['in'] === 'query' && !OF_EVERY_LIST.has(given['description']))
  const rows = own.map((given) => {
    const schema = given['schema'] as JsonSchema
    const initial = schema['default'] === undefined ? '' : ` Default: ${code(word(schema['default']))}.`
    return [`${code(word(given['name']))} (${typeOf(schema)})`, `${meaning(given)}${initial}`] as const
  })
  return rows.length === 0 ? '' : paragraphs('In the query:', markdownList(rows))
}

type Fields = Readonly<Record<string, JsonSchema>>

/**
 * What an answer has: of a list the fields of its rows, else its own. Where several calls answer alike, the first says it.
 * @throws RangeError for a reference to no schema
 */
function answerFields(schemas: Described): (description: string, answer: JsonSchema | undefined) => string {
  const told: ReadonlySet<string>[] = []
  const fieldsOf = (schema: JsonSchema): Fields => {
    const name = word(schema['$ref']).split('/').at(-1) ?? ''
    const found = name === '' ? schema : schemas[name]
    if (found === undefined) throw new RangeError(`there is no schema ${name}`)
    return (found['properties'] ?? {}) as Fields
  }
  return (description, answer) => {
    if (answer === undefined) return description
    const own = fieldsOf(answer)
    const list = Object.entries(own).find(([, field]) => field['items'] !== undefined)
    const rows = list === undefined ? {} : fieldsOf(list[1]['items'] as JsonSchema)
    const isList = Object.keys(rows).length > 0
    const names = Object.keys(isList ? rows : own)
    if (told.some((known) => names.every((name) => known.has(name)))) return description
    told.push(new Set(names))
    const listed = names.map(code).join(', ')
    return isList ? `${code(list?.[0] ?? '')}, each with ${listed}.` : `${description} ${listed}.`
  }
}

type AnswerFields = ReturnType<typeof answerFields>

const answers = ({ replies }: DescribedCall, responses: Described, fields: AnswerFields): string =>
  replies
    .map(({ status, description }) => {
      const content = responses[status]?.['content'] as Described | undefined
      const schema = content?.['application/json']?.['schema'] as JsonSchema | undefined
      return `**${status}** ${fields(description, schema)}`
    })
    .join(' ')

function operationSection(one: DescribedCall, schemas: Described, described: JsonSchema, fields: AnswerFields): string {
  const parameters = (described['parameters'] ?? []) as readonly JsonSchema[]
  const problems = one.problems
    .filter((problem) => problem !== 'invalid_request')
    .map((problem) => `${PROBLEM_STATUS[problem]} ${code(problem)}`)
  return paragraphs(
    `### ${one.summary}`,
    `${code(`${one.method.toUpperCase()} /api/merchant${one.path}`)} (${code(one.scope)})`,
    linked(one.description ?? ''),
    queryList(parameters),
    ...(one.body ? [jsonBlock(one.body.example), fieldList(schemas[one.body.name] ?? {})] : []),
    answers(one, (described['responses'] ?? {}) as Described, fields),
    problems.length > 0 ? `Problems: ${problems.join(', ')}.` : '',
  )
}

function outboundSection({ name, summary, description, examples, answer }: OutboundCall): string {
  const chosen = examples['deposit_succeeded'] ?? Object.values(examples)[0]
  return paragraphs(
    `### ${summary}: ${code(name)}`,
    linked(description),
    chosen === undefined ? '' : jsonBlock(chosen.value),
    `**You answer:** ${answer.description}`,
    answer.example === undefined ? '' : jsonBlock(answer.example),
  )
}

/** Fields of `TransactionData` that need an explanation here. */
const EXPLAINED = [
  'transaction_uuid',
  'status',
  'amount',
  'source',
  'session_reference',
  'metadata',
  'payment_method',
  'merchant_reference',
] as const

/** @throws RangeError for a field that the schema does not have */
function transactionFields(schemas: Described): string {
  const properties = (schemas['TransactionData']?.['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  const rows = EXPLAINED.map((field) => {
    const described = properties[field]
    if (described === undefined) throw new RangeError(`TransactionData has no ${field}`)
    return [code(field), meaning(described)] as const
  })
  return markdownList(rows)
}

/** @param document the content of docs/openapi.json */
export function merchantApiPage(document: JsonSchema): string {
  const { schemas } = document['components'] as { readonly schemas: Described }
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>
  const fields = answerFields(schemas)
  const sections = MERCHANT_CALLS.map((one) => {
    const described = paths[`/api/merchant${one.path}`]?.[one.method] ?? {}
    return operationSection(one, schemas, described, fields)
  })
  return paragraphs(
    WRITTEN,
    HEAD,
    'A field in bold is required.',
    '## Calls',
    ...sections,
    '## Calls that you get',
    'Each is signed: [how to verify](../guides/backend.md#the-signature). Redirects are not followed.',
    ...OUTBOUND_CALLS.map((one) => outboundSection(one)),
    '## Fields of a transaction',
    transactionFields(schemas),
  )
}
