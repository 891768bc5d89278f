import { defineConfig, devices } from 'playwright/test'
import type { EngineOptions } from './e2e/engines/engine-test.ts'
import { ENGINES } from './e2e/engines/start-engine.ts'
import { chromiumArgs } from './scripts/chromium.ts'

/** The report file from which `npm test` reads the counts. */
const report = process.env['TEST_REPORT']
const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'

export default defineConfig<object, EngineOptions>({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ...(report === undefined ? [] : [['json', { outputFile: report }] as const])],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 480, height: 800 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    trace: { mode: 'retain-on-failure', screenshots: false },
    // A camera that shows a test picture, where a page is allowed to use one.
    launchOptions: { executablePath, args: [...chromiumArgs, '--use-fake-device-for-media-stream'] },
  },
  projects: [
    { name: 'specs', testMatch: 'specs/**/*.spec.ts' },
    { name: 'size', testMatch: 'size/**/*.spec.ts' },
    { name: 'pictures', testMatch: 'pictures/**/*.picture.ts' },
    // One browser for all of its tests, which takes one at a time.
    ...ENGINES.map((name) => ({
      name,
      testMatch: '**/e2e/engines/*.spec.ts',
      // The shop's page needs a cashier in its frame.
      ...(name === 'webkit' && { testIgnore: '**/frames.spec.ts' }),
      fullyParallel: false,
      workers: 1,
      use: { engineName: name },
    })),
  ],
})
