import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validate as validateByHyperjump } from '@hyperjump/json-schema/openapi-3-1'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CONTROL_ROUTES } from '../control/routes.ts'
import { OPERATIONS } from '../operations/operation-table.ts'
import { currencyId, testReceiver, testSandbox } from '../testing/test-sandbox.ts'
import type { TestReceiver, TestResponse, TestSandbox } from '../testing/test-sandbox.ts'
import { CONTROL_ANSWERS, CONTROL_EXAMPLES } from './control-docs.ts'
import { sandboxOpenApi } from './document.ts'

interface Content {
  readonly 'application/json': { readonly schema: { readonly $ref: string }; readonly example?: unknown }
}
interface Entry {
  readonly operationId: string
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

const document = JSON.parse(JSON.stringify(sandboxOpenApi({ origin: 'http://localhost:4010', basePath: '' }))) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Entry>>>>
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Entry>>>>
  readonly components: object
}
const entries = [...Object.entries(document.paths), ...Object.entries(document.webhooks)].flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, entry]) => ({ name: `${method.toUpperCase()} ${path}`, entry })),
)

const ajv = new Ajv2020({ strict: true, allErrors: true, strictTypes: false })
formats(ajv)
ajv.addFormat('base64', true)
ajv.addKeyword('components')
ajv.addSchema({ $id: 'https://sandbox.test/api', components: document.components })
const faultsOf = (reference: string, value: unknown): readonly string[] => {
  const validate = ajv.compile({ $ref: `https://sandbox.test/api${reference}` })
  return validate(value) ? [] : (validate.errors ?? []).map((error) => JSON.stringify(error))
}

test('each operation and each control call is described, and nothing else', () => {
  const inCode = [
    ...OPERATIONS.map(({ method, path }) => `${method} ${path}`),
    ...CONTROL_ROUTES.map(({ method, path }) => `${method} /control${path.replaceAll(/:(\w+)/g, '{$1}')}`),
  ]
  const described = entries.map(({ name }) => name).filter((name) => name.includes(' /'))
  expect(described.toSorted()).toEqual(inCode.toSorted())
  expect(described.length).toBeGreaterThan(40)
  const ids = entries.flatMap(({ entry }) => (entry.operationId ? [entry.operationId] : []))
  expect(new Set(ids).size).toBe(ids.length)
  const keys = new Set(CONTROL_ROUTES.map(({ method, path }) => `${method} ${path}`))
  expect([...keys].filter((key) => !(key in CONTROL_ANSWERS))).toEqual([])
  expect(Object.keys(CONTROL_EXAMPLES).filter((key) => !keys.has(key))).toEqual([])
})

test('two independent validators accept the document', async () => {
  expect((await new Validator().validate(structuredClone(document) as never)).valid).toBe(true)
  const output = await validateByHyperjump('https://spec.openapis.org/oas/3.1/schema-base', document as never)
  expect(output.valid).toBe(true)
})

test('every example fits its schema', () => {
  const contents = entries.flatMap(({ name, entry }) =>
    [entry.requestBody?.content, ...Object.values(entry.responses).map(({ content }) => content)].flatMap((content) =>
      content?.['application/json'].example === undefined ? [] : [{ name, json: content['application/json'] }],
    ),
  )
  for (const { name, json } of contents) expect([name, faultsOf(json.schema.$ref, json.example)]).toEqual([name, []])
  expect(contents.length).toBeGreaterThan(60)
  expect(faultsOf('#/components/schemas/Withdrawal', { amount: 5 })).not.toEqual([])
})

test('the written document is this one', () => {
  expect(JSON.parse(readFileSync(join(import.meta.dirname, '../openapi.json'), 'utf8'))).toEqual(document)
})

describe('a sandbox', () => {
  let sandbox: TestSandbox
  let receiver: TestReceiver

  beforeAll(async () => {
    receiver = await testReceiver()
    sandbox = await testSandbox()
  })
  beforeEach(() => sandbox.control('POST', '/reset'))
  afterAll(async () => {
    await sandbox.close()
    receiver.close()
  })

  function expectDescribed(name: string, { status, body }: TestResponse): void {
    const content = entries.find((one) => one.name === name)?.entry.responses[String(status)]?.content
    const faults = content ? faultsOf(content['application/json'].schema.$ref, body) : ['no such status']
    expect([name, status, faults]).toEqual([name, status, []])
  }

  test('serves it, with its own address and prefix', async () => {
    const prefixed = await testSandbox({ basePath: '/gw' })
    const served = await fetch(`${prefixed.origin}/openapi.json`)
    const expected = sandboxOpenApi({ origin: prefixed.origin, basePath: '/gw' })
    expect(await served.json()).toEqual(JSON.parse(JSON.stringify(expected)))
    expect(Object.keys(expected['paths'] as object)).toContain('/gw/v1/user/withdraw')
    await prefixed.close()
  })

  test.each(OPERATIONS.map(({ method, path }) => [`${method} ${path}`, method, path] as const))(
    'answers the example of %s, and refusals, as described',
    async (name, method, path) => {
      const example = entries.find((one) => one.name === name)?.entry.requestBody?.content['application/json'].example
      const answer = await sandbox.call(method, path, example)
      expect([name, answer.status]).toEqual([name, 200])
      expectDescribed(name, answer)
      expectDescribed(name, await sandbox.call(method, path, example, 'short'))
      if (method === 'POST') {
        const wrong = { user_reference: '!', user_reference_id: '!', country: 'XX' }
        const refused = await sandbox.call(method, path, wrong)
        expect(refused.status).toBe(422)
        expectDescribed(name, refused)
      }
    },
  )

  test('the events of a deposit and a purchase are as described', async () => {
    receiver.deliveries.length = 0
    await sandbox.control('PATCH', '/merchants/test-merchant', { webhook_url: receiver.url })
    await sandbox.control('POST', '/onramp-sessions', {
      ...CONTROL_EXAMPLES['POST /onramp-sessions'],
      session_reference: 'e',
    })
    await sandbox.control('POST', '/onramp-sessions/e/succeeded')
    await expect.poll(() => receiver.deliveries.length).toBe(5)
    for (const { event } of receiver.deliveries) {
      const component = event.event === 'User Onramp' ? 'OnrampEvent' : 'TransferEvent'
      expect(faultsOf(`#/components/schemas/${component}`, event)).toEqual([])
    }
  })

  test('every control call answers its example as described', async () => {
    const uuidIn = ({ body }: TestResponse): string => {
      const { transaction, session } = body as Record<string, { transaction_uuid?: string; uuid?: string } | undefined>
      return transaction?.transaction_uuid ?? session?.uuid ?? ''
    }
    const asked = new Set<string>()
    const ask = async (method: string, path: string, id = ''): Promise<TestResponse> => {
      asked.add(`${method} ${path}`)
      const body = CONTROL_EXAMPLES[`${method} ${path}`] ?? {}
      const answer = await sandbox.control(method, path.replace(/:\w+/, id), {
        ...body,
        ...(path === '/deposits' && { confirm: false }),
        ...(path === '/webhooks/send' && { url: receiver.url }),
      })
      expectDescribed(`${method} /control${path.replaceAll(/:(\w+)/g, '{$1}')}`, answer)
      return answer
    }
    await sandbox.call('POST', '/v1/user/deposit/address', {
      currency_id: await currencyId(sandbox, 'USDT', 'Tron'),
      user_reference: 'ada',
    })
    for (const step of ['confirm', 'fail'])
      await ask('POST', `/deposits/:uuid/${step}`, uuidIn(await ask('POST', '/deposits')))
    for (const step of ['complete', 'fail'])
      await ask('POST', `/withdrawals/:uuid/${step}`, uuidIn(await ask('POST', '/withdrawals')))
    const waiting = await sandbox.control('POST', '/withdrawals', {
      ...CONTROL_EXAMPLES['POST /withdrawals'],
      requires_approval: true,
    })
    await ask('POST', '/withdrawals/:uuid/approve', uuidIn(waiting))
    for (const step of ['pending', 'processing', 'succeeded', 'failed'])
      await ask('POST', `/onramp-sessions/:name/${step}`, uuidIn(await ask('POST', '/onramp-sessions')))
    await ask('GET', '/onramp-sessions/:name', uuidIn(await ask('POST', '/onramp-sessions')))
    await ask('PATCH', '/merchants/:id', 'test-merchant')
    await ask('POST', '/webhooks/:id/redeliver', '1')
    const { fault } = (await ask('POST', '/faults')).body as { fault: { id: number } }
    await ask('GET', '/faults')
    await ask('DELETE', '/faults/:id', String(fault.id))
    const left = CONTROL_ROUTES.map(({ method, path }) => [method, path] as const).filter(
      ([method, path]) => !asked.has(`${method} ${path}`) && path !== '/reset' && path !== '/restart',
    )
    expect(left.filter(([, path]) => path.includes(':'))).toEqual([])
    for (const [method, path] of left.toSorted(([one]) => (one === 'DELETE' ? 1 : -1))) await ask(method, path)
    await ask('POST', '/reset')
    await ask('POST', '/restart')
    await expect
      .poll(() =>
        sandbox.control('GET', '/state').then(
          ({ body }) => body['restarts'],
          () => 'away',
        ),
      )
      .toBe(1)
    expectDescribed('POST /control/deposits', await sandbox.control('POST', '/deposits', { amount: 1 }))
    expectDescribed('POST /control/deposits/{uuid}/fail', await sandbox.control('POST', '/deposits/none/fail'))
    expect(asked.size).toBe(CONTROL_ROUTES.length)
  })
})
