import { defineConfig, devices } from 'playwright/test'
import type { EngineOptions } from './e2e/engines/engine-test.ts'
import { ENGINES } from './e2e/engines/engine.ts'
import { chromiumArgs, chromiumPath, headlessChromiumPath } from './scripts/chromium.ts'

/** The report file from which `npm test` reads the counts. */
const report = process.env['TEST_REPORT']

/** Tests of what only a whole browser has. */
const WHOLE = /@whole-browser/
/** With a camera that shows a test picture, where a page is allowed to use one. */
const args = [...chromiumArgs, '--use-fake-device-for-media-stream']
/**
 * A press on a frame that moved within the last half second is dropped by Chromium. A hand is slower; a driver scrolls and
 * presses at once. Chromium takes the last list alone, so Playwright's is repeated.
 */
const pressable = '--enable-features=CDPScreenshotNewSurface,DiscardInputEventsToRecentlyMovedFrames:time_ms/0'

const headless = { executablePath: headlessChromiumPath(), args: [...args, pressable] }
const whole = { executablePath: chromiumPath(), args }

export default defineConfig<object, EngineOptions>({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  workers: 3,
  // Several times what the slowest test takes on two busy cores, for machines that are slower still.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ...(report === undefined ? [] : [['json', { outputFile: report }] as const])],
  use: {
    ...devices['Desktop Chrome'],
    // A phone's.
    viewport: { width: 390, height: 700 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // A trace costs a fifth of the run's time: ask for one with `--trace retain-on-failure` (docs/internal/testing.md).
    trace: 'off',
    launchOptions: headless,
  },
  projects: [
    { name: 'specs', testMatch: 'specs/**/*.spec.ts', grepInvert: WHOLE },
    // The headless shell has no cameras, no rules for third-party cookies and no pages that are kept for the back button.
    {
      name: 'whole',
      testMatch: 'specs/**/*.spec.ts',
      grep: WHOLE,
      // Few and short: one stack for all costs less than one for each.
      workers: 1,
      use: { launchOptions: whole },
    },
    { name: 'size', testMatch: 'size/**/*.spec.ts', fullyParallel: false },
    { name: 'pictures', testMatch: 'pictures/**/*.picture.ts', use: { launchOptions: whole } },
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
