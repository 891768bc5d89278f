/**
 * Tests crypto-cashier-testing as a merchant's QA uses it: installed from its tarball with Playwright into a new project,
 * where the recipes of its README drive a shop with the cashier in it.
 */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { chromiumArgs, findChromium } from '../../scripts/chromium.ts'
import { packPackage } from '../../scripts/packages.ts'
import { LOCALES } from '../../packages/testing/src/texts.ts'
import { type Stack, startStack } from '../fixtures/stack.ts'

const isBuilt = existsSync('.next/BUILD_ID')
const recipes = Array.from(
  readFileSync('packages/testing/README.md', 'utf8').matchAll(/```ts\n([\s\S]*?)```/g),
  ([, code = '']) => code,
)

const recipeFile = (at: number): string => `recipe-${at}.spec.ts`

const report = z.object({
  suites: z.array(
    z.object({
      specs: z.array(
        z.object({
          title: z.string(),
          ok: z.boolean(),
          tests: z.array(
            z.object({ results: z.array(z.object({ errors: z.array(z.object({ message: z.string() })) })) }),
          ),
        }),
      ),
    }),
  ),
})

describe.skipIf(!isBuilt)(isBuilt ? 'crypto-cashier-testing' : 'crypto-cashier-testing (needs `npm run build`)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-testing-'))
  let stack: Stack | undefined

  beforeAll(async () => {
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync('node_modules/playwright/package.json', 'utf8')))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
    const packages = [`@playwright/test@${version}`, '@types/node', packPackage('testing', folder)]
    execFileSync('npm', ['install', '--save-dev', ...quiet, ...packages], { cwd: folder, stdio: 'pipe' })
    const started = await startStack({ cashier: { WITHDRAWAL_ABSENCE_S: '3', GATEWAY_TIMEOUT_MS: '2000' } })
    stack = started
    for (const [at, code] of recipes.entries()) {
      const here = code
        .replaceAll('http://127.0.0.1:4020', started.merchant.url)
        .replaceAll('http://localhost:4010', started.sandbox.url)
      writeFileSync(join(folder, recipeFile(at)), here)
    }
    const launchOptions = { executablePath: await findChromium(), args: chromiumArgs }
    // So low that the Send button is below the edge at first.
    const use = { launchOptions, viewport: { width: 1280, height: 500 } }
    const config = { workers: 2, timeout: 60_000, expect: { timeout: 20_000 }, use }
    writeFileSync(join(folder, 'playwright.config.ts'), `export default ${JSON.stringify(config)}`)
  })
  afterAll(async () => {
    await stack?.stop()
    rmSync(folder, { recursive: true })
  })

  test('the recipes pass, in each language of the cashier', { timeout: 300_000 }, async () => {
    const cli = join(folder, 'node_modules/@playwright/test/cli.js')
    const { suites } = await new Promise<z.infer<typeof report>>((done, fail) => {
      execFile(
        process.execPath,
        [cli, 'test', '--reporter=json'],
        {
          cwd: folder,
          maxBuffer: 2 ** 26,
          env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_ENV: 'test' },
        },
        (_error, stdout, stderr) => {
          try {
            done(report.parse(JSON.parse(stdout)))
          } catch {
            fail(new Error(`${stdout}\n${stderr}`))
          }
        },
      )
    })
    const specs = suites.flatMap((suite) => suite.specs)
    const messages = specs
      .filter(({ ok }) => !ok)
      .flatMap(({ title, tests }) => [
        title,
        ...tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors.map(({ message }) => message))),
      ])
    if (messages.length > 0) throw new Error(messages.join('\n'))
    expect(specs.map(({ title }) => title).toSorted()).toEqual(
      [
        'a deposit is credited',
        'a payout without an answer is neither lost nor sent twice',
        'a purchase is paid on the provider’s page',
        'a refused payout gives the money back',
        ...LOCALES.map((locale) => `a deposit and a payout: ${locale}`),
      ].toSorted(),
    )
  })

  test('the recipes compile in a strict project, wrong calls do not, and a deposit takes 12 lines', () => {
    const wrong = `
      import { Cashier, SandboxControl } from 'crypto-cashier-testing'
      import type { Page } from '@playwright/test'
      // @ts-expect-error no such language
      export const view = (page: Page) => new Cashier(page.frameLocator('iframe'), { locale: 'xx' })
      // @ts-expect-error an amount is text
      void new SandboxControl('http://localhost:4010').detectDeposit({ address: 'a', amount: 5 })
    `
    writeFileSync(join(folder, 'wrong.ts'), wrong)
    const libraries = { types: ['node'], lib: ['es2023', 'dom', 'dom.iterable'], skipLibCheck: false }
    const compilerOptions = { strict: true, module: 'nodenext', target: 'es2023', noEmit: true, ...libraries }
    const files = ['wrong.ts', ...recipes.map((_item, at) => recipeFile(at))]
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    const { stdout } = spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', folder], {
      encoding: 'utf8',
    })
    expect(stdout).toBe('')
    expect(recipes[0]?.trim().split('\n')).toHaveLength(12)
  })
})
