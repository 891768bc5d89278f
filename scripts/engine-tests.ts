/**
 * Runs the flows of `e2e/engines` in the engines that it finds or installs. `--short` runs only the flows with the tag
 * `@short`, in Firefox and WebKit with their usual settings. `--project=firefox` selects one engine, and may be
 * repeated. Other arguments are passed on to Playwright. Needs `npm run build`.
 */
import { existsSync } from 'node:fs'
import { findChromium } from './chromium.ts'
import { engineRun } from './engine-projects.ts'
import { engineOf, findEngines } from './engines.ts'
import { runProgram } from './run-program.ts'

if (!existsSync('.next/BUILD_ID')) {
  console.error('There is no production build. Run `npm run build` first.')
  process.exit(1)
}
const { projects, short, rest } = engineRun(process.argv.slice(2))
const { found } = await findEngines(projects.map(engineOf))
const present = projects.filter((name) => found.includes(engineOf(name)))
if (present.length === 0) process.exit(1)
process.exitCode = await runProgram(
  'playwright',
  [
    'test',
    ...present.map((name) => `--project=${name}`),
    ...(short ? ['--grep', '@short'] : []),
    // A folder of its own, because Playwright would remove the results of the other browser tests.
    '--output=test-results/engines',
    ...rest,
  ],
  present.includes('chromium') ? { CHROMIUM_PATH: await findChromium() } : {},
)
