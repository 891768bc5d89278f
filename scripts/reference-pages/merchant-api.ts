/** docs/reference/merchant-api.md: the merchant API for people, made from the source of docs/openapi.json. */
import { DECIMAL, FIELDS } from '#lib/server/merchant/openapi/fields.ts'
import { type JsonSchema } from '#lib/server/merchant/openapi/json-schema.ts'
import type { DescribedCall, Reply } from '#lib/server/merchant/openapi/described-call.ts'
import { alternatives, typeOf, word } from '#lib/server/merchant/openapi/type-words.ts'
import { MERCHANT_CALLS } from '#lib/server/merchant/openapi/merchant-calls.ts'
import { OUTBOUND_CALLS, type OutboundCall } from '#lib/server/merchant/openapi/outbound-calls.ts'
import { PROBLEM_STATUS } from '#lib/contract/problems.ts'
import { anchorOf } from '../read-markdown.ts'
import { code, jsonBlock, linked, paragraphs, markdownList, WRITTEN } from './markdown.ts'

const HEAD = `# Merchant API

Each call that the merchant's backend makes, and each call that it gets. [openapi.json](../openapi.json), also served at \`/api/openapi.json\`, describes the same calls for programs, with every field of the answers. [The guide](../guides/backend.md) says how to use it.

\`CASHIER\` is the cashier's \`PUBLIC_URL\`. Amounts are decimal strings, times ISO 8601 in UTC. Answers and events may get new fields: ignore what you do not know.

\`\`\`sh
export CASHIER=https://cashier.example.com MERCHANT_API_KEY=…
curl -H "Authorization: Bearer $MERCHANT_API_KEY" "$CASHIER/api/merchant/events?limit=100"
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

/** What the page has shown so far: summaries of calls by the fields of the objects in their answers. */
type Shown = Map<string, string>

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const fieldsOf = (value: unknown): string =>
  isObject(value) && !Array.isArray(value) ? Object.keys(value).toSorted().join(' ') : ''
const objectsIn = (value: unknown): readonly unknown[] =>
  isObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : []

/** A longer example stands in openapi.json alone. */
const LONGEST_LINES = 40

/** The call that has shown an object with these fields, or with more. */
function shownBy(example: unknown, shown: Shown): string | undefined {
  const fields = fieldsOf(example)
  if (fields === '') return undefined
  const exact = shown.get(fields)
  if (exact !== undefined) return exact
  const names = fields.split(' ')
  return [...shown].find(([known]) => names.every((name) => known.split(' ').includes(name)))?.[1]
}

const asIn = (summary: string): string => `as in [${summary}](#${anchorOf(summary)})`

/** An example without the objects that an earlier call has shown, and the words that name those. */
function shortened(example: unknown, shown: Shown): { readonly rest: unknown; readonly words: string } {
  if (!isObject(example) || Array.isArray(example)) return { rest: example, words: '' }
  const known = Object.entries(example).flatMap(([name, value]) => {
    const summary = shown.get(fieldsOf(value))
    return summary === undefined ? [] : [[name, summary] as const]
  })
  const names = new Set(known.map(([name]) => name))
  return {
    rest: Object.fromEntries(Object.entries(example).filter(([name]) => !names.has(name))),
    words: known.map(([name, summary]) => ` ${code(name)} is ${asIn(summary)}.`).join(''),
  }
}

/** An answer with the fields of an object in an earlier example is a link to that call. */
function answers({ replies, summary }: DescribedCall, shown: Shown): string {
  const line = ({ status, description, example }: Reply): string => {
    const before = shownBy(example, shown)
    return `**${status}** ${description}${before === undefined || before === summary ? '' : ` A${asIn(before).slice(1)}.`}`
  }
  const lines = replies.map(line)
  const [first] = replies
  if (first?.example === undefined || shownBy(first.example, shown) !== undefined) return lines.join(' ')
  const { rest, words } = shortened(first.example, shown)
  for (const object of objectsIn(rest)) {
    const fields = fieldsOf(object)
    if (fields !== '' && !shown.has(fields)) shown.set(fields, summary)
  }
  const block = jsonBlock(rest)
  return block.split('\n').length > LONGEST_LINES
    ? `${lines.join(' ')} [openapi.json](../openapi.json) has an example.`
    : paragraphs(`${lines.join(' ')}${words}`, block)
}

function operationSection(
  one: DescribedCall,
  schemas: Described,
  parameters: readonly JsonSchema[],
  shown: Shown,
): string {
  const problems = one.problems
    .filter((problem) => problem !== 'invalid_request')
    .map((problem) => `${PROBLEM_STATUS[problem]} ${code(problem)}`)
  return paragraphs(
    `### ${one.summary}`,
    `${code(`${one.method.toUpperCase()} /api/merchant${one.path}`)} (${code(one.scope)})`,
    linked(one.description ?? ''),
    queryList(parameters),
    ...(one.body ? [jsonBlock(one.body.example), fieldList(schemas[one.body.name] ?? {})] : []),
    answers(one, shown),
    problems.length > 0 ? `Problems: ${problems.join(', ')}.` : '',
  )
}

function outboundSection({ name, summary, description, examples, answer }: OutboundCall, shown: Shown): string {
  const all = Object.entries(examples)
  const chosen = all.length === 1 ? all : all.filter(([key]) => key === 'deposit_succeeded')
  const parts = chosen.map(([, { value }]) => shortened(value, shown))
  return paragraphs(
    `### ${summary}: ${code(name)}`,
    linked(description),
    ...parts.map(({ rest }) => jsonBlock(rest)),
    [
      ...parts.map(({ words }) => words.trim()),
      all.length === chosen.length ? '' : `[openapi.json](../openapi.json) has an example of each kind and status.`,
    ]
      .filter((part) => part !== '')
      .join(' '),
    `**You answer:** ${answer.description}`,
    answer.example === undefined ? '' : jsonBlock(answer.example),
  )
}

/** Fields of answers that need an explanation, by schema. */
const EXPLAINED = {
  TransactionData: [
    'transaction_uuid',
    'status',
    'amount',
    'source',
    'session_reference',
    'metadata',
    'payment_method',
    'merchant_reference',
  ],
  MerchantWithdrawal: ['requires_approval', 'failure_reason', 'user_message', 'attention', 'paid_amount', 'resolution'],
} as const

/** @throws RangeError for a field that the schema does not have */
function meanings(schemas: Described, name: keyof typeof EXPLAINED): string {
  const properties = (schemas[name]?.['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  const rows = EXPLAINED[name].map((field) => {
    const described = properties[field]
    if (described === undefined) throw new RangeError(`${name} has no ${field}`)
    return [code(field), meaning(described)] as const
  })
  return markdownList(rows)
}

/** @param document the content of docs/openapi.json */
export function merchantApiPage(document: JsonSchema): string {
  const { schemas } = document['components'] as { readonly schemas: Described }
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>
  const shown: Shown = new Map()
  const sections = MERCHANT_CALLS.map((one) => {
    const described = paths[`/api/merchant${one.path}`]?.[one.method] ?? {}
    return operationSection(one, schemas, (described['parameters'] ?? []) as readonly JsonSchema[], shown)
  })
  return paragraphs(
    WRITTEN,
    HEAD,
    'A field in bold is required.',
    '## Calls',
    ...sections,
    '## Calls that you get',
    'Each is signed: [how to verify](../guides/backend.md#the-signature). Redirects are not followed.',
    ...OUTBOUND_CALLS.map((one) => outboundSection(one, shown)),
    '## Fields of a transaction',
    meanings(schemas, 'TransactionData'),
    '## Fields of a withdrawal',
    meanings(schemas, 'MerchantWithdrawal'),
  )
}
