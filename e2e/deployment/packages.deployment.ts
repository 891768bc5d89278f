/**
 * Tests the packages as merchants use them: installed from their tarballs into projects outside the repository, built
 * by Vite and by Next, and run by Node, Bun and Deno. npm installs the other packages, so it needs a registry.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { packPackage } from '../../scripts/packages.ts'
import { startSystem, type System } from '../system/start-system.ts'

const MINUTES = 60_000
const hasRegistry = spawnSync('npm', ['ping', '--fetch-retries=0', '--fetch-timeout=10000']).status === 0
const folder = mkdtempSync(join(tmpdir(), 'cashier-deployment-packages-'))
const tarballs = { embed: '', server: '' }
beforeAll(() => {
  for (const name of ['embed', 'server'] as const) tarballs[name] = packPackage(name, folder)
}, MINUTES)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The version that this repository tests with. */
const ours = (name: string): string => {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')))
  return `${name}@${version}`
}

/** Runs a program as a shell outside this repository does: without our modules and the variable of Vitest. */
function run(
  cwd: string,
  command: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): string {
  const { VITEST: _VITEST, PATH = '', ...rest } = process.env
  const outside = PATH.split(':').filter((folder) => !folder.includes('node_modules'))
  const env = { ...rest, PATH: outside.join(':'), NODE_ENV: 'production' as const, ...more }
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: 'pipe', env, timeout: 5 * MINUTES })
}

function newProject(name: string, packages: readonly string[], files: Readonly<Record<string, string>>): string {
  const project = join(folder, name)
  for (const [file, content] of Object.entries({ 'package.json': '{"private":true,"type":"module"}', ...files })) {
    mkdirSync(dirname(join(project, file)), { recursive: true })
    writeFileSync(join(project, file), content)
  }
  run(project, 'npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages])
  return project
}

const ORIGIN = 'https://cashier.example.com'
const PROPS = `{ origin: '${ORIGIN}', fetchLaunchToken: async () => (await fetch('/cashier-token', { method: 'POST' })).text() }`
const ENTRIES = {
  script: `import { loadCashier } from 'crypto-cashier-embed'
    const { fetchLaunchToken } = ${PROPS}
    void loadCashier('${ORIGIN}').then(({ mount }) => mount('#cashier', { fetchLaunchToken }))`,
  react: `import { Cashier } from 'crypto-cashier-embed/react'
    import { createElement } from 'react'
    import { createRoot } from 'react-dom/client'
    createRoot(document.querySelector('#cashier')).render(createElement(Cashier, ${PROPS}))`,
  vue: `import { Cashier } from 'crypto-cashier-embed/vue'
    import { createApp } from 'vue'
    createApp(Cashier, ${PROPS}).mount('#cashier')`,
}
/** Puts the code of the package into one chunk. */
const VITE = `export default {
  build: { rolldownOptions: {
    input: { ${Object.keys(ENTRIES)
      .map((name) => `${name}: '${name}.html'`)
      .join(', ')} },
    output: { codeSplitting: { groups: [{ name: 'cashier', test: /crypto-cashier-embed/ }, { name: 'framework', test: /node_modules.(?!crypto-cashier-)/, priority: 1 }] } },
  } },
}`
const NEXT_PAGE = `'use client'
import { Cashier } from 'crypto-cashier-embed/react'
export default function Page() {
  return <Cashier className="wallet" origin="${ORIGIN}" fetchLaunchToken={async () => 'token'} />
}`

describe.skipIf(!hasRegistry)(
  hasRegistry ? 'crypto-cashier-embed' : 'crypto-cashier-embed (needs the npm registry)',
  () => {
    test(
      'Vite builds it alone, with React and with Vue, and its code is at most 2 kB',
      { timeout: 5 * MINUTES },
      () => {
        const files = Object.entries(ENTRIES).flatMap(([name, content]) => [
          [`${name}.js`, content],
          [`${name}.html`, `<!doctype html><div id="cashier"></div><script type="module" src="/${name}.js"></script>`],
        ])
        const packages = [tarballs.embed, ours('vite'), ours('react'), ours('react-dom'), ours('vue')]
        const project = newProject('vite', packages, {
          ...(Object.fromEntries(files) as object),
          'vite.config.js': VITE,
        })
        run(project, 'npx', ['vite', 'build'])
        const built = readdirSync(join(project, 'dist/assets'))
        const own = built
          .filter((name) => name.startsWith('cashier'))
          .map((name) => readFileSync(join(project, 'dist/assets', name)))
        expect(own.filter((content) => content.includes('/embed/v1.js'))).toHaveLength(1)
        const weight = own.reduce((sum, content) => sum + gzipSync(content).length, 0)
        expect(weight).toBeLessThanOrEqual(2048)
        expect(weight).toBeGreaterThan(300)
        for (const name of Object.keys(ENTRIES))
          expect(readFileSync(join(project, 'dist', `${name}.html`), 'utf8')).toMatch(/assets\/cashier-[\w-]+\.js/)
      },
    )

    test('Next builds it, and renders an empty element on the server', { timeout: 10 * MINUTES }, () => {
      const project = newProject('next', [tarballs.embed, ours('next'), ours('react'), ours('react-dom')], {
        'app/page.js': NEXT_PAGE,
        'app/layout.js': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>',
        'next.config.mjs': "export default { output: 'export' }",
      })
      run(project, 'npx', ['next', 'build'], { NEXT_TELEMETRY_DISABLED: '1' })
      expect(readFileSync(join(project, 'out/index.html'), 'utf8')).toContain('<div class="wallet"></div>')
      const chunks = join(project, 'out/_next/static')
      const scripts = readdirSync(chunks, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
      expect(scripts.some((name) => readFileSync(join(chunks, name), 'utf8').includes('/embed/v1.js'))).toBe(true)
    })
  },
)

const RUNTIMES = [
  ['node', []],
  ['bun', ['run']],
  ['deno', ['run', '--allow-net', '--allow-env']],
] as const
const BACKEND = `
import { createCashier, createVerifier, NotVerifiedError } from 'crypto-cashier-server'
import process from 'node:process'
const { CASHIER_URL, MERCHANT_API_KEY, MERCHANT_WEBHOOK_SECRET, HEADERS, BODY } = process.env
const cashier = createCashier({ url: CASHIER_URL, apiKey: MERCHANT_API_KEY })
const { session_id } = await cashier.createSession({ user_reference_id: 'mira' })
await cashier.endSession(session_id)
const refused = await cashier.createSession({ user_reference_id: '' }).catch((error) => error.code)
const verifier = createVerifier(MERCHANT_WEBHOOK_SECRET)
const { type } = verifier.event(BODY, JSON.parse(HEADERS))
let forged = 'taken'
try { verifier.event(BODY + ' ', JSON.parse(HEADERS)) } catch (error) { forged = error instanceof NotVerifiedError ? 'refused' : String(error) }
console.log(JSON.stringify({ refused, type, forged }))
`

describe.skipIf(!hasRegistry)(
  hasRegistry ? 'crypto-cashier-server' : 'crypto-cashier-server (needs the npm registry)',
  () => {
    let system: System
    let project: string
    beforeAll(async () => {
      system = await startSystem()
      project = newProject('server', [tarballs.server], { 'backend.mjs': BACKEND })
    }, 5 * MINUTES)
    afterAll(() => system.close())

    for (const [runtime, args] of RUNTIMES) {
      const isHere = spawnSync(runtime, ['--version']).status === 0
      test.skipIf(!isHere)(
        `${runtime} calls the cashier and verifies${isHere ? '' : ' (not on this machine)'}`,
        async () => {
          const [body, id, at] = ['{"type":"test","timestamp":"2026-11-22T10:00:00Z","data":{}}', 'msg_1', new Date()]
          const headers = {
            'webhook-id': id,
            'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
            'webhook-signature': new Webhook(system.webhookSecret).sign(id, at, body),
          }
          const printed = run(project, runtime, [...args, 'backend.mjs'], {
            CASHIER_URL: system.publicUrl,
            MERCHANT_API_KEY: system.merchantApiKey,
            MERCHANT_WEBHOOK_SECRET: system.webhookSecret,
            HEADERS: JSON.stringify(headers),
            BODY: body,
          })
          expect(JSON.parse(printed)).toEqual({ refused: 'invalid_request', type: 'test', forged: 'refused' })
        },
      )
    }
  },
)
