import { defineConfig, devices } from 'playwright/test'
import type { EngineOptions } from './e2e/engines/engine-test.ts'
import { ENGINES } from './e2e/engines/engine.ts'
import { chromiumArgs, chromiumPath, headlessChromiumPath } from './scripts/chromium.ts'

/** The report file from which `npm test` reads the counts. */
const report = process.env['TEST_REPORT']

/** Tests of features that the headless shell lacks. */
const WHOLE = /@whole-browser/
/** With a camera that shows a test picture to pages that may use one. */
const args = [...chromiumArgs, '--use-fake-device-for-media-stream']
/**
 * Chromium drops a press on a frame that moved within the last half second. A person is slower; a driver scrolls and
 * presses at once. Chromium uses only the last `--enable-features`, so the value repeats Playwright's list.
 */
const pressable = '--enable-features=CDPScreenshotNewSurface,DiscardInputEventsToRecentlyMovedFrames:time_ms/0'

const headless = { executablePath: headlessChromiumPath(), args: [...args, pressable] }
const whole = { executablePath: chromiumPath(), args }

export default defineConfig<object, EngineOptions>({
  testDir: 'e2e',
  outputDir: 'test-results',
  // The tests of a file run one after the other in one worker: a stack for each worker costs as much as a few tests.
  fullyParallel: false,
  forbidOnly: true,
  // In `npm test` other stages keep both cores busy beside the browser. What needs a second try is named at its end.
  retries: report === undefined ? 0 : 1,
  workers: 3,
  // Several times the duration of the slowest test on two busy cores, for slower machines.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ...(report === undefined ? [] : [['json', { outputFile: report }] as const])],
  use: {
    ...devices['Desktop Chrome'],
    // The size of a phone.
    viewport: { width: 390, height: 700 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // A trace costs a fifth of the run's time: ask for one with `--trace retain-on-failure` (docs/internal/testing.md).
    trace: 'off',
    launchOptions: headless,
  },
  projects: [
    { name: 'specs', testMatch: 'specs/**/*.spec.ts', grepInvert: WHOLE },
    // The headless shell has no cameras, no rules for third-party cookies and no back/forward cache.
    {
      name: 'whole',
      testMatch: 'specs/**/*.spec.ts',
      grep: WHOLE,
      // The tests are few and short: one stack for all costs less than one for each worker.
      workers: 1,
      use: { launchOptions: whole },
    },
    { name: 'size', testMatch: 'size/**/*.spec.ts' },
    { name: 'pictures', testMatch: 'pictures/**/*.picture.ts', use: { launchOptions: whole } },
    // One browser runs all tests of an engine, one at a time.
    ...ENGINES.map((name) => ({
      name,
      testMatch: '**/e2e/engines/*.spec.ts',
      // The shop's page needs a cashier in its frame.
      ...(name === 'webkit' && { testIgnore: '**/frames.spec.ts' }),
      workers: 1,
      use: { engineName: name },
    })),
  ],
})
