/**
 * The merchant API as OpenAPI 3.1, made from the schemas with which the routes parse requests
 * (docs/reference/merchant-api.md, "Merchant API").
 */
import type * as z from 'zod/mini'
import * as replies from '#lib/contract/merchant-replies.ts'
import { testEventReply } from '#lib/contract/operate/deliveries.ts'
import { userPath } from '#lib/contract/merchant-requests.ts'
import { PROBLEM_STATUS, type ProblemCode } from '#lib/contract/problems.ts'
import { CALL_TAGS, type DescribedCall } from './described-call.ts'
import { PAYOUT_EXAMPLE, SESSION_EXAMPLE, USER_EXAMPLE, WITHDRAWAL_ID_EXAMPLE } from './examples.ts'
import { FIELDS } from './fields.ts'
import { componentSchemas, queryParameters, type JsonSchema, type Parameter } from './json-schema.ts'
import { MERCHANT_CALLS } from './merchant-calls.ts'
import { OUTBOUND_CALLS, type OutboundCall } from './outbound-calls.ts'

/** Schemas of answers and events, by their names in the document. */
const NAMED: Readonly<Record<string, z.core.$ZodType>> = {
  Problem: replies.problemReply,
  CreatedSession: replies.createdSessionReply,
  TransactionData: replies.transactionData,
  Event: replies.feedEvent,
  EventsPage: replies.feedReply,
  Balances: replies.balancesReply,
  Entry: replies.ledgerEntry,
  EntriesPage: replies.entriesReply,
  Adjustment: replies.adjustmentReply,
  ToldRates: replies.ratesReply,
  Withdrawal: replies.withdrawalReply,
  MerchantWithdrawal: replies.merchantWithdrawal,
  WithdrawalsPage: replies.withdrawalsReply,
  MerchantPayout: replies.merchantPayout,
  PayoutsPage: replies.payoutsReply,
  TransactionsPage: replies.merchantTransactionsReply,
  QuarantineItem: replies.quarantineItemReply,
  QuarantinePage: replies.quarantineReply,
  QuarantineResolution: replies.quarantineResolutionReply,
  Redelivery: replies.redeliveryReply,
  DeliveryView: replies.deliveryViewReply,
  TestEventResult: testEventReply,
  Connection: replies.connectionReply,
  TransactionUpdated: replies.transactionUpdated,
  TestEvent: replies.testEvent,
  AuthorizationRequest: replies.authorizationRequest,
  AuthorizationReply: replies.authorizationReply,
}

const NAME_OF = new Map([
  ...Object.entries(NAMED).map(([name, schema]) => [schema, name] as const),
  ...MERCHANT_CALLS.flatMap(({ body }) => (body ? [[body.schema, body.name] as const] : [])),
])

const reference = (schema: z.core.$ZodType): JsonSchema => ({
  $ref: `#/components/schemas/${NAME_OF.get(schema) ?? ''}`,
})

const json = (schema: z.core.$ZodType, examples: object): JsonSchema => ({
  'application/json': { schema: reference(schema), ...examples },
})

/** Problems of every call. */
const ALWAYS: readonly ProblemCode[] = ['unauthenticated', 'scope_required', 'internal', 'store_unavailable']
const WITH_BODY: readonly ProblemCode[] = ['payload_too_large', 'unsupported_media_type']

/** One answer per status, with its possible codes. */
function problemResponses({ problems, body }: DescribedCall): Readonly<Record<string, JsonSchema>> {
  const codes = [...new Set([...problems, ...ALWAYS, ...(body ? WITH_BODY : [])])]
  const byStatus = Map.groupBy(codes, (code) => PROBLEM_STATUS[code])
  const described = [...byStatus].map(([status, given]) => [
    String(status),
    {
      description: given.map((code) => `\`${code}\``).join(', '),
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  ])
  return Object.fromEntries(described) as Readonly<Record<string, JsonSchema>>
}

const PATH_EXAMPLES: Readonly<Record<string, string>> = {
  id: '17',
  session_id: SESSION_EXAMPLE,
  transaction_uuid: PAYOUT_EXAMPLE,
  user_reference_id: USER_EXAMPLE,
  withdrawal_id: WITHDRAWAL_ID_EXAMPLE,
}

function pathParameters({ id, path }: DescribedCall): readonly Parameter[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => ({
    name,
    in: 'path' as const,
    required: true,
    description: FIELDS[name]?.description ?? '',
    schema: name === 'user_reference_id' ? (queryParameters(userPath, id)[0]?.schema ?? {}) : { type: 'string' },
    ...(PATH_EXAMPLES[name] !== undefined && { example: PATH_EXAMPLES[name] }),
  }))
}

function operation(given: DescribedCall): JsonSchema {
  const { id, tag, scope, summary, description, query, body } = given
  const parameters = [...pathParameters(given), ...(query ? queryParameters(query, id) : [])]
  const answers = given.replies.map(({ status, description: meaning, schema, example, csv }) => [
    String(status),
    {
      description: meaning,
      ...(schema && { content: json(schema, { example }) }),
      ...(csv !== undefined && { content: { 'text/csv': { schema: { type: 'string' }, example: csv } } }),
    },
  ])
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    // Of a bearer's names: what the key must be allowed to do.
    security: [{ merchantApiKey: [scope] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: json(body.schema, { example: body.example }) } }),
    responses: { ...(Object.fromEntries(answers) as object), ...problemResponses(given) },
  }
}

const OUTBOUND_TAG = { name: 'Calls that you get', description: 'Your backend answers them. Each is signed.' }

const SIGNATURE = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
  $ref: `#/components/parameters/${name}`,
}))

const webhook = ({ id, summary, description, schema, examples, answer }: OutboundCall): JsonSchema => ({
  post: {
    operationId: id,
    tags: [OUTBOUND_TAG.name],
    summary,
    description,
    parameters: SIGNATURE,
    security: [],
    requestBody: { required: true, content: json(schema, { examples }) },
    responses: {
      [answer.schema ? '200' : '2XX']: {
        description: answer.description,
        ...(answer.schema && { content: json(answer.schema, { example: answer.example }) }),
      },
    },
  },
})

const header = (name: string, description: string, schema: JsonSchema) => ({
  [name]: { name, in: 'header', required: true, description, schema },
})

/** The content of docs/openapi.json, and of `GET /api/openapi.json`. */
export function openApiDocument(): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const one of MERCHANT_CALLS) (paths[`/api/merchant${one.path}`] ??= {})[one.method] = operation(one)
  const bodies = MERCHANT_CALLS.flatMap(({ body }) => (body ? [[body.name, body.schema] as const] : []))
  return {
    openapi: '3.1.1',
    info: {
      title: 'Cashier: merchant API',
      version: '1.0.0',
      summary: "The calls of a merchant's backend, and the calls that it receives.",
      description:
        'Server to server. Amounts are decimal strings, times ISO 8601 in UTC. Fields may be added to answers and events: ignore unknown fields. An unknown query parameter is 422 `invalid_request`. Failures are RFC 9457 problems; switch on `code`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: 'https://{host}',
        description: 'The address of your cashier, its PUBLIC_URL.',
        variables: { host: { default: 'cashier.example.com' } },
      },
    ],
    security: [{ merchantApiKey: [] }],
    tags: [...Object.entries(CALL_TAGS).map(([name, description]) => ({ name, description })), OUTBOUND_TAG],
    paths,
    webhooks: Object.fromEntries(OUTBOUND_CALLS.map((call) => [call.name, webhook(call)])),
    components: {
      securitySchemes: {
        merchantApiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'MERCHANT_API_KEY, or a key made in the console, which needs the scope that `security` of the call names. It must not reach a browser.',
        },
      },
      parameters: {
        ...header('webhook-id', 'The same for every attempt of one call.', { type: 'string' }),
        ...header('webhook-timestamp', 'Seconds since 1970. Refuse a call over five minutes old.', {
          type: 'string',
          pattern: '^[0-9]{10}$',
        }),
        ...header('webhook-signature', 'Standard Webhooks: one or more `v1,…` with a space between; one must match.', {
          type: 'string',
          pattern: '^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)*$',
        }),
      },
      schemas: componentSchemas({ ...NAMED, ...Object.fromEntries(bodies) }),
    },
  }
}
