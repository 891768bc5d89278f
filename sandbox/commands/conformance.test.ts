import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { makeKeyPair } from '../settings/keys.ts'
import { API_KEY, merchantPrivateKey, testSandbox } from '../testing/test-sandbox.ts'
import type { TestSandbox } from '../testing/test-sandbox.ts'
import { sandboxProcesses } from '../testing/sandbox-process.ts'

const { ended, folder } = sandboxProcesses()
const privateKey = merchantPrivateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const CREDENTIALS = { GATEWAY_API_KEY: API_KEY, GATEWAY_PRIVATE_KEY: Buffer.from(privateKey).toString('base64') }
let sandbox: TestSandbox | null = null

afterEach(async () => {
  await sandbox?.close()
  sandbox = null
})

const reportSchema = z.object({
  gateway: z.string(),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  sections: z.array(
    z.object({
      section: z.string(),
      spec: z.string().min(1),
      checks: z.array(
        z.object({
          statement: z.string(),
          outcome: z.enum(['passed', 'failed', 'skipped']),
          reason: z.string().nullable(),
          calls: z.array(z.looseObject({ method: z.string(), path: z.string(), status: z.number().nullable() })),
          webhooks: z.array(z.string()),
        }),
      ),
    }),
  ),
})

test('a sandbox passes, with credentials by flags and its control API', async () => {
  sandbox = await testSandbox()
  writeFileSync(join(folder(), 'key.pem'), privateKey)
  const { code, said } = await ended([
    'conformance',
    `${sandbox.url}/`,
    '--api-key',
    API_KEY,
    '--private-key',
    'file:key.pem',
    '--control-url',
    `${sandbox.origin}/control`,
  ])
  expect([code, said]).toEqual([0, expect.stringMatching(/No check failed\.\n$/)])
  expect(said).toMatch(/ {2}\d+ passed {3}0 failed {3}0 skipped {2}POST \/v1\/user\/withdraw\n/)
  expect(said).not.toContain('Skipped')
})

test('a difference is reported with what was called, what the spec says and what came', async () => {
  sandbox = await testSandbox({ mutations: ['refuses_with_400'] })
  const { code, said } = await ended(
    ['conformance', sandbox.url, '--only', 'payments', '--only', 'currencies'],
    CREDENTIALS,
  )
  expect(code).toBe(1)
  expect(said).toContain('Skipped: needs --control-url')
  expect(said).toContain('The spec: ON_RAMP answers link')
  expect(said).toMatch(/ {5}called {3}POST \/v1\/user\/payments \{/)
  expect(said).toMatch(/ {5}came {5}400 \{"error":"validation failed"/)
  expect(said).toMatch(/ {5}differs {2}expected status 422, got 400/)
  expect(said).not.toContain('Authentication')
})

test('--json has every check with its calls, and no credential', async () => {
  sandbox = await testSandbox({ mutations: ['sends_amounts_as_texts'] })
  const control = ['--control-url', `${sandbox.origin}/control`]
  const { code, said } = await ended(
    ['conformance', sandbox.url, '--json', '--only', 'webhooks', ...control],
    CREDENTIALS,
  )
  const report = reportSchema.parse(JSON.parse(said))
  expect(code).toBe(1)
  const [section] = report.sections
  expect(report.sections).toHaveLength(1)
  expect(report.passed + report.failed).toBe(section?.checks.length)
  const failed = section?.checks.filter(({ outcome }) => outcome === 'failed') ?? []
  expect(failed.length).toBe(report.failed)
  expect(failed.length).toBeGreaterThan(0)
  expect(failed.flatMap(({ webhooks }) => webhooks).join('')).toContain('"amount":"')
  expect(section?.checks.flatMap(({ calls }) => calls).length).toBeGreaterThan(5)
  for (const secret of [API_KEY, 'PRIVATE KEY', 'x-api-signature']) expect(said).not.toContain(secret)
})

test('with a wrong key, each check that fails shows a call', async () => {
  sandbox = await testSandbox()
  const other = makeKeyPair().privateKey
  const { code, said } = await ended(['conformance', sandbox.url, '--json', '--only', 'addresses'], {
    ...CREDENTIALS,
    GATEWAY_PRIVATE_KEY: other,
  })
  const [section] = reportSchema.parse(JSON.parse(said)).sections
  const failed = section?.checks.filter(({ outcome }) => outcome === 'failed') ?? []
  expect([code, failed.length > 3]).toEqual([1, true])
  expect(failed.filter(({ calls }) => calls.at(-1)?.status !== 401)).toEqual([])
})

test('a server that is no gateway fails, and one that is not there is one error', async () => {
  const server = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const other = await ended(['conformance', url, '--only', 'currencies'], CREDENTIALS)
  expect(other.code).toBe(1)
  expect(other.said).toContain('came     200 hello')
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  const away = await ended(['conformance', url], CREDENTIALS)
  expect([away.code, away.said]).toEqual([1, expect.stringContaining(`${url} does not answer: `)])
  expect(away.said.trim().split('\n').length).toBeLessThan(4)
})

test.each<[readonly string[], Readonly<Record<string, string>>, string]>([
  [[], CREDENTIALS, 'conformance needs the URL of a gateway'],
  [['localhost:4010'], CREDENTIALS, 'must be an http or https URL'],
  [['http://localhost:1'], {}, '--api-key is missing; GATEWAY_API_KEY can hold it too'],
  [['http://localhost:1'], { GATEWAY_API_KEY: 'k' }, '--private-key is missing'],
  [
    ['http://localhost:1', '--private-key', 'abc'],
    CREDENTIALS,
    '--private-key cannot be used: it must be a private key',
  ],
  [['http://localhost:1', '--only', 'all'], CREDENTIALS, '--only must be one of authentication'],
  [['http://localhost:1', '--sign-query', 'none'], CREDENTIALS, '--sign-query must be one of bare, question-mark'],
])('%j is refused', async (args, env, expected) => {
  const { code, said } = await ended(['conformance', ...args], env)
  expect([code, said]).toEqual([1, expect.stringContaining(expected)])
  expect(said).not.toMatch(/^ +at /m)
})
