/**
 * Runs the flows of `e2e/engines` in the engines that are found or installed for you; with `--short` one flow in each,
 * as it is installed. Other arguments are passed on to Playwright. Needs `npm run build`.
 */
import { existsSync } from 'node:fs'
import { ENGINES } from '../e2e/engines/start-engine.ts'
import { findEngines } from './engines.ts'
import { runProgram } from './run-program.ts'

if (!existsSync('.next/BUILD_ID')) {
  console.error('There is no production build. Run `npm run build` first.')
  process.exit(1)
}
const args = process.argv.slice(2)
const short = args.includes('--short')
const { found } = await findEngines()
const projects = short ? found : ENGINES.filter((name) => found.some((engine) => name.startsWith(engine)))
if (projects.length === 0) process.exit(1)
process.exitCode = await runProgram('playwright', [
  'test',
  ...projects.map((name) => `--project=${name}`),
  ...(short ? ['--grep', '@short'] : []),
  // Apart from those of the other browser tests, which would be removed.
  '--output=test-results/engines',
  ...args.filter((arg) => arg !== '--short'),
])
