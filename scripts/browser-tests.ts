/** Runs Playwright with a browser that is there; arguments go on to it. `npm run build` comes first. */
import { existsSync } from 'node:fs'
import { findChromium } from './chromium.ts'
import { runProgram } from './run-program.ts'

if (!existsSync('.next/BUILD_ID')) {
  console.error('There is no production build yet: run `npm run build` first.')
  process.exit(1)
}
const args = process.argv.slice(2)
const projects = args.some((arg) => arg.startsWith('--project')) ? [] : ['--project=specs', '--project=size']
process.exitCode = await runProgram('playwright', ['test', ...projects, ...args], {
  CHROMIUM_PATH: await findChromium(),
})
