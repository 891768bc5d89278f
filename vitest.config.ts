import { configDefaults, defineConfig } from 'vitest/config'
import { LongTestsFirst } from './scripts/test-order.ts'
import { unhandledErrorsReporter } from './scripts/unhandled-errors.ts'

/** Determines the order of tests: `TEST_SEED=… npm run test:unit` repeats an order. */
const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000_000)

/** The report file from which `npm test` reads the counts. */
const report = process.env['TEST_REPORT']

/** Tests that only compute, whatever the time: `npm test` runs them at the lowest priority, beside all others. */
const TIMELESS = [
  'simulation/{amounts,deliberate-bugs,seeds,virtual-clock}.test.ts',
  'simulation/histories/*.test.ts',
  'lib/server/webhooks/any-order.test.ts',
]
/** They may wait for all others, and a long run of them takes hours. */
const TIMELESS_MS = 86_400_000

const onServer = { extends: true as const, ssr: { resolve: { conditions: ['react-server', 'node'] } } }

export default defineConfig({
  test: {
    reporters: [
      'default',
      ...(report === undefined
        ? []
        : [['json', { outputFile: report }] as ['json', object], unhandledErrorsReporter(report)]),
    ],
    pool: 'forks',
    // A process for each file would take a quarter of the time. A test restores what it changes in its process.
    isolate: false,
    unstubEnvs: true,
    unstubGlobals: true,
    // Many files wait for processes and databases; a third worker uses that time on two cores.
    maxWorkers: 3,
    // Several times the duration of the slowest test on two busy cores, for slower machines.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Each run has a different order, so that tests do not depend on one another.
    sequence: { sequencer: LongTestsFirst, shuffle: { files: false, tests: true }, seed },
    setupFiles: ['scripts/vitest-setup.ts'],
    expect: { requireAssertions: true, poll: { timeout: 60_000 } },
    allowOnly: false,
    projects: [
      {
        ...onServer,
        test: {
          name: 'server',
          include: [
            'lib/{contract,addresses,i18n,server}/**/*.test.ts',
            '{app,e2e,examples,packages/{server,testing},sandbox,scripts,bench,simulation}/**/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, ...TIMELESS],
          // As in production.
          execArgv: ['--conditions=react-server'],
          // In `npm test` other stages keep both cores busy. What needs a second try is named at its end.
          retry: report === undefined ? 0 : 1,
          globalSetup: ['scripts/vitest-postgres.ts', 'scripts/vitest-inline-scripts.ts'],
        },
      },
      {
        ...onServer,
        test: {
          name: 'timeless',
          include: TIMELESS,
          execArgv: ['--conditions=react-server'],
          testTimeout: TIMELESS_MS,
          hookTimeout: TIMELESS_MS,
        },
      },
      {
        extends: true,
        test: {
          name: 'page',
          include: ['lib/{browser,embed}/**/*.test.{ts,tsx}', '{components,packages/embed}/**/*.test.{ts,tsx}'],
        },
      },
    ],
  },
})
