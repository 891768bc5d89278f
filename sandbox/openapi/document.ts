import { z } from 'zod'
import { AUTH_ERRORS } from '../auth/auth-errors.ts'
import { onrampEventSchema, transferEventSchema } from '../conformance/shapes.ts'
import type { ControlRoute } from '../control/route.ts'
import { CONTROL_ROUTES } from '../control/routes.ts'
import { OPERATIONS } from '../operations/operation-table.ts'
import type { Operation } from '../operations/operation.ts'
import { CONTROL_ANSWERS, CONTROL_COMPONENTS, CONTROL_EXAMPLES, controlError } from './control-docs.ts'
import { COMMON_ANSWERS, OPERATION_ANSWERS, OPERATION_DOCS, WEBHOOK_EXAMPLES } from './operation-docs.ts'
import type { DocumentedAnswer } from './operation-docs.ts'

export type Json = Readonly<Record<string, unknown>>

const REFERENCE = '#/components/schemas/'

/** Named schemas become components, and are referred to wherever they occur in another schema. */
function componentsOf(named: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output'): Json {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    io,
    unrepresentable: 'any',
    uri: (id) => `${REFERENCE}${id}`,
    override({ jsonSchema }) {
      // A format says the same in a word.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
    },
  })
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _schema, $id: _id, ...schema }]) => [id, schema]),
  )
}

const words = (name: string): string =>
  name.replaceAll(/[^A-Za-z]+(.)?/g, (_match, letter: string | undefined) => (letter ?? '').toUpperCase())
const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const requestName = ({ name }: Operation): string => `${capital(words(name))}Request`
const keyOf = ({ method, path }: ControlRoute): string => `${method} ${path}`
/** Such as `PostDepositsConfirm`, or `DeleteFaultsOne` for one of several. */
const controlName = ({ method, path }: ControlRoute): string =>
  `${capital(method.toLowerCase())}${capital(words(path.replace(/\/:\w+$/, '/one').replace(/:\w+/, '')))}`

const json = (component: string, example?: unknown): Json => ({
  'application/json': {
    schema: { $ref: REFERENCE + component },
    ...(example === undefined ? {} : { example }),
  },
})

const answersOf = (answers: readonly DocumentedAnswer[]): Json =>
  Object.fromEntries(
    answers.map(({ status, component, about, example }) => [
      String(status),
      { description: about, content: json(component, example) },
    ]),
  )

function operationEntry(operation: Operation): Json {
  const { summary, request, answers } = OPERATION_DOCS[operation.name]
  return {
    operationId: operation.name,
    tags: ['gateway'],
    summary,
    ...(operation.request && { requestBody: { required: true, content: json(requestName(operation), request) } }),
    responses: answersOf([...answers, ...COMMON_ANSWERS]),
  }
}

const pathParameters = (path: string): readonly Json[] =>
  Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

/** The fields of a GET's input are its query parameters. */
function queryParameters({ input }: ControlRoute): readonly Json[] {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: false, schema }))
}

function controlEntry(route: ControlRoute): Json {
  const { method, path, about } = route
  const parameters = [...pathParameters(path), ...(method === 'GET' ? queryParameters(route) : [])]
  const example = CONTROL_EXAMPLES[keyOf(route)]
  const error = { description: 'Refused.', content: json('ControlError') }
  return {
    operationId: controlName(route),
    tags: ['control'],
    summary: about,
    security: [],
    ...(parameters.length > 0 && { parameters }),
    ...(method !== 'GET' && {
      requestBody: { required: false, content: json(`${controlName(route)}Input`, example) },
    }),
    responses: {
      200: { description: 'Done.', content: json(`${controlName(route)}Answer`) },
      ...Object.fromEntries(['403', '404', '409', '422'].map((status) => [status, error])),
    },
  }
}

const SIGNATURE_HEADERS = ['X-Signature', 'X-Timestamp', 'X-Algorithm'] as const

const webhook = (about: string, component: string, example: unknown): Json => ({
  post: {
    summary: about,
    description:
      'X-Signature is RSA-SHA256 in Base64 over the raw body followed by X-Timestamp, which is UNIX time in seconds.',
    tags: ['webhooks'],
    security: [],
    parameters: SIGNATURE_HEADERS.map((name) => ({ name, in: 'header', required: true, schema: { type: 'string' } })),
    requestBody: { required: true, content: json(component, example) },
    responses: { 200: { description: 'Received. Any other status than 2xx is tried again.' } },
  },
})

const header = (name: string, description: string): Json => ({ type: 'apiKey', in: 'header', name, description })

function pathsOf(basePath: string): Json {
  const paths: Record<string, Json> = {}
  const add = (path: string, method: string, entry: Json): void => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: entry }
  }
  for (const operation of OPERATIONS) add(basePath + operation.path, operation.method, operationEntry(operation))
  for (const route of CONTROL_ROUTES)
    add(`/control${route.path.replaceAll(/:(\w+)/g, '{$1}')}`, route.method, controlEntry(route))
  return paths
}

export interface DocumentAddress {
  readonly origin: string
  readonly basePath: string
}

/** The OpenAPI 3.1 document of the operations, the webhooks and the control calls. */
export function sandboxOpenApi({ origin, basePath }: DocumentAddress): Json {
  const inputs = Object.fromEntries([
    ...OPERATIONS.flatMap((operation) =>
      operation.request ? [[requestName(operation), operation.request.clone()]] : [],
    ),
    ...CONTROL_ROUTES.filter(({ method }) => method !== 'GET').map((route) => [
      `${controlName(route)}Input`,
      route.input.clone(),
    ]),
  ]) as Readonly<Record<string, z.ZodType>>
  const outputs: Readonly<Record<string, z.ZodType>> = {
    ...OPERATION_ANSWERS,
    ...CONTROL_COMPONENTS,
    ControlError: controlError,
    TransferEvent: transferEventSchema,
    OnrampEvent: onrampEventSchema,
    ...Object.fromEntries(
      CONTROL_ROUTES.map((route) => [
        `${controlName(route)}Answer`,
        (CONTROL_ANSWERS[keyOf(route)] ?? z.never()).clone(),
      ]),
    ),
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sandbox gateway',
      version: '1.0',
      summary: 'The payment gateway on one machine, and the calls that control it.',
      description: `Messages of authentication failures: ${[...new Set(Object.values(AUTH_ERRORS).map(({ message }) => message))].join(', ')}. The control calls have no password.`,
    },
    servers: [{ url: origin }],
    tags: [
      { name: 'gateway', description: 'What a merchant calls, signed.' },
      { name: 'webhooks', description: 'What the gateway sends, signed.' },
      { name: 'control', description: 'Blockchain, operator, payment provider, faults and clock.' },
    ],
    security: [{ apiKey: [], nonce: [], signature: [] }],
    paths: pathsOf(basePath),
    webhooks: {
      transfer: webhook('User Deposit and User Payout.', 'TransferEvent', WEBHOOK_EXAMPLES.transfer),
      onramp: webhook('User Onramp, one for each change of status.', 'OnrampEvent', WEBHOOK_EXAMPLES.onramp),
    },
    components: {
      securitySchemes: {
        apiKey: header('X-API-Key', "The merchant's key."),
        nonce: header('X-API-Nonce', 'At least 16 characters, used once.'),
        signature: header(
          'X-API-Signature',
          'RSA-SHA256 (PKCS#1 v1.5) in standard Base64 over METHOD + PATH + NONCE + QUERY + BODY, the body without white space.',
        ),
      },
      schemas: { ...componentsOf(inputs, 'input'), ...componentsOf(outputs, 'output') },
    },
  }
}
