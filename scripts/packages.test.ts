/** Tests each package as a merchant gets it: installed from its tarball into a clean project. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { build } from 'esbuild'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { PACKAGES, packPackage, scriptTypes } from './packages.ts'
import { testingTexts } from './testing-texts.ts'

const project = mkdtempSync(join(tmpdir(), 'cashier-packages-'))
const tarballs = new Map<string, string>()

/** The packages that npm would install with them; copied, so that the test needs no network. */
const COPIED = ['standardwebhooks', '@stablelib/base64', 'fast-sha256']
const LINKED = ['react', 'react-dom', 'vue', '@types/react', 'csstype', '@types/node', 'undici-types', '@vue']

beforeAll(() => {
  for (const name of PACKAGES) {
    const tarball = packPackage(name, project)
    tarballs.set(name, tarball)
    const folder = join(project, 'node_modules', `crypto-cashier-${name}`)
    mkdirSync(folder, { recursive: true })
    execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'])
  }
  for (const name of COPIED)
    cpSync(resolve('node_modules', name), join(project, 'node_modules', name), { recursive: true })
  for (const name of LINKED) {
    const link = join(project, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(resolve('node_modules', name), link)
  }
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

test.each(PACKAGES)('%s: publint and arethetypeswrong find no faults', async (name) => {
  const { messages } = await publint({
    pkgDir: join(project, 'node_modules', `crypto-cashier-${name}`),
    pack: false,
    strict: true,
  })
  expect(messages).toEqual([])
  const checked = await checkPackage(createPackageFromTarballData(readFileSync(tarballs.get(name)!)))
  expect(checked.types).not.toBe(false)
  // The package has ES modules; CommonJS loads it by `import()`, or by `require` from Node 22 on.
  const problems = 'problems' in checked ? checked.problems : []
  const found = problems.filter(
    (one) => one.kind !== 'CJSResolvesToESM' && !('resolutionKind' in one && one.resolutionKind === 'node10'),
  )
  expect(found).toEqual([])
})

test.each(PACKAGES)('%s: the tarball has only built files', (name) => {
  const files = execFileSync('tar', ['-tzf', tarballs.get(name)!], { encoding: 'utf8' })
    .trim()
    .split('\n')
  expect(
    files.filter((file) => !/^package\/(package\.json|README\.md|LICENSE|dist\/[\w-]+(\.d\.ts|\.js))$/.test(file)),
  ).toEqual([])
  expect(files.length).toBeGreaterThan(5)
})

test('in a strict project their types are found, and reject wrong calls', () => {
  const source = `
    import { loadCashier, type CashierEvent } from 'crypto-cashier-embed'
    import { connectApp, type MessageToApp } from 'crypto-cashier-embed/app'
    import { Cashier } from 'crypto-cashier-embed/react'
    import { Cashier as VueCashier } from 'crypto-cashier-embed/vue'
    import { createCashier, createVerifier, CashierError, type Event } from 'crypto-cashier-server'
    import { createElement } from 'react'
    import { h } from 'vue'
    const cashier = createCashier({ url: 'https://cashier.example.com', apiKey: 'k' })
    export const amount: Promise<string | undefined> = cashier.balances('u').then(([first]) => first?.available)
    export const event = (e: Event): 'deposit' | 'payout' | 'onramp' => e.data.kind
    // @ts-expect-error an amount is text
    void cashier.adjust('u', { currency_id: 'c', amount: 5, reference: 'r' })
    // @ts-expect-error no such flow
    void cashier.createSession({ user_reference_id: 'u', flows: ['refund'] })
    export const verified = createVerifier('whsec_x').event('', new Headers()).type
    export const failed = (error: unknown) => error instanceof CashierError && error.code === 'cursor_lost'
    const fetchLaunchToken = async () => 'token'
    export const mounted = loadCashier('https://c.example').then(({ mount }) => mount('#c', { fetchLaunchToken }))
    export const onEvent = (e: CashierEvent) => (e.type === 'error' ? e.code : e.type)
    export const react = createElement(Cashier, { origin: 'https://c.example', fetchLaunchToken, onEvent, theme: 'dark' })
    export const app = (at: Element) => connectApp('https://c.example', at, { locale: 'de' })
    export const link = (m: MessageToApp) => (m.type === 'link' ? m.url : m.type)
    export const vue = h(VueCashier, { origin: 'https://c.example', fetchLaunchToken, onEvent })
  `
  writeFileSync(join(project, 'consumer.ts'), source)
  const options = {
    strict: true,
    module: 'nodenext',
    target: 'es2023',
    noEmit: true,
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    skipLibCheck: false,
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['consumer.ts'] }))
  const compile = () =>
    execFileSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', project], {
      encoding: 'utf8',
      stdio: 'pipe',
    })
  expect(compile()).toBe('')
})

test('crypto-cashier-embed is at most 2 kB, without React and Vue', async () => {
  for (const entry of [
    'crypto-cashier-embed',
    'crypto-cashier-embed/app',
    'crypto-cashier-embed/react',
    'crypto-cashier-embed/vue',
  ]) {
    const { outputFiles } = await build({
      stdin: { contents: `export * from '${entry}'`, resolveDir: project },
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
      external: ['react', 'vue'],
    })
    const bytes = gzipSync(outputFiles[0]!.contents).length
    expect(bytes, entry).toBeLessThanOrEqual(2048)
    expect(bytes, entry).toBeGreaterThan(100)
  }
})

test('the types of the script match public/embed.d.ts; `npm run packages` copies them', () => {
  expect(readFileSync('packages/embed/src/script.ts', 'utf8')).toBe(
    scriptTypes(readFileSync('public/embed.d.ts', 'utf8')),
  )
})

test('the texts of crypto-cashier-testing match the messages; `npm run packages` copies them', async () => {
  expect(readFileSync('packages/testing/src/texts.ts', 'utf8')).toBe(await testingTexts())
})

test('the example backend is a project of its own and installs the tarball of `npm run packages`', () => {
  const folder = resolve('examples/backends/node')
  const { private: isPrivate, dependencies } = z
    .object({ private: z.boolean(), dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  expect(isPrivate).toBe(true)
  expect(Object.keys(dependencies)).toEqual(['crypto-cashier-server'])
  const [from] = Object.values(dependencies)
  expect(resolve(folder, from?.replace(/^file:/, '') ?? '')).toBe(
    resolve('.cache/packages', basename(tarballs.get('server') ?? '')),
  )
})
