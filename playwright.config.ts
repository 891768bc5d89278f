import { defineConfig, devices } from 'playwright/test'
import { chromiumArgs } from './scripts/chromium.ts'

/** The report file from which `npm test` reads the counts. */
const report = process.env['TEST_REPORT']
const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'

export default defineConfig({
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
    trace: 'retain-on-failure',
    launchOptions: { executablePath, args: [...chromiumArgs] },
  },
  projects: [
    { name: 'specs', testMatch: 'specs/**/*.spec.ts' },
    { name: 'size', testMatch: 'size/**/*.spec.ts' },
    { name: 'pictures', testMatch: 'pictures/**/*.picture.ts' },
  ],
})
