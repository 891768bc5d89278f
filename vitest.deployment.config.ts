import { defineConfig } from 'vitest/config'

/**
 * The tests of `npm run test:deployment` use programs that only some machines have. A test without its program is
 * skipped, and its name says so.
 */
export default defineConfig({
  test: {
    include: ['e2e/deployment/*.deployment.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    setupFiles: ['scripts/vitest-setup.ts'],
    expect: { requireAssertions: true, poll: { timeout: 60_000 } },
    execArgv: ['--conditions=react-server'],
    globalSetup: ['scripts/vitest-postgres.ts'],
  },
  ssr: { resolve: { conditions: ['react-server', 'node'] } },
})
