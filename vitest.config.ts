import { defineConfig } from 'vitest/config'

/** Also names the order of tests: `TEST_SEED=… npm run test:unit` repeats one. */
const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000_000)

/** Where `npm test` reads the counts. */
const report = process.env['TEST_REPORT']

export default defineConfig({
  test: {
    reporters: ['default', ...(report === undefined ? [] : [['json', { outputFile: report }] as ['json', object]])],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // Tests must not lean on one another, so each run has another order.
    sequence: { shuffle: { files: true, tests: true }, seed },
    expect: { requireAssertions: true },
    allowOnly: false,
    projects: [
      {
        extends: true,
        ssr: { resolve: { conditions: ['react-server', 'node'] } },
        test: {
          name: 'server',
          include: ['lib/{contract,addresses,i18n,server}/**/*.test.ts', '{e2e,scripts,bench}/**/*.test.ts'],
          // As in production.
          execArgv: ['--conditions=react-server'],
          globalSetup: ['scripts/vitest-postgres.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'page',
          include: ['lib/{browser,embed}/**/*.test.{ts,tsx}', '{components,app}/**/*.test.{ts,tsx}'],
        },
      },
    ],
  },
})
