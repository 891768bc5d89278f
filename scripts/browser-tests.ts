/** Finds or installs Chromium and runs Playwright; arguments are passed on. Needs `npm run build`. */
import { existsSync } from 'node:fs'
import { findChromium, findHeadlessChromium } from './chromium.ts'
import { runProgram } from './run-program.ts'

if (!existsSync('.next/BUILD_ID')) {
  console.error('There is no production build. Run `npm run build` first.')
  process.exit(1)
}
const args = process.argv.slice(2)
const projects = args.some((arg) => arg.startsWith('--project'))
  ? []
  : ['specs', 'whole', 'size'].map((name) => `--project=${name}`)
// The headless shell comes first, so that both are installed on a machine without any Chromium.
const headless = await findHeadlessChromium()
process.exitCode = await runProgram('playwright', ['test', ...projects, ...args], {
  HEADLESS_CHROMIUM_PATH: headless,
  CHROMIUM_PATH: await findChromium(),
})
