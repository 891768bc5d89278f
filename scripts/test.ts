/**
 * The one test command: every check and every test, each stage with its own npm script. It goes on after a failed
 * stage, and its last line sums them all.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Leftover, leftovers, tell } from './leftovers.ts'
import { runProgram } from './run-program.ts'
import { type Count, countTests, summary } from './test-report.ts'

interface Stage {
  readonly script: string
  /** It writes a report of many tests; else it counts as one. */
  readonly tests?: boolean
  /** Not worth starting when that stage has failed. */
  readonly after?: string
}

const stages: readonly Stage[] = [
  { script: 'format:check' },
  { script: 'lint' },
  { script: 'types' },
  { script: 'arrows' },
  { script: 'knip' },
  { script: 'build' },
  { script: 'test:unit', tests: true },
  { script: 'test:browser', tests: true, after: 'build' },
]

const reports = resolve('.cache/test-reports')
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })

const run = `cashier-test-${process.pid}-${Date.now()}`
const mark = { TEST_RUN: run, NEXT_TELEMETRY_DISABLED: '1' }

interface Outcome extends Count {
  readonly script: string
  readonly seconds: number
}

const outcomes: Outcome[] = []
/** `endAll` ends the process while this is waited for. */
const endless = new Promise<never>(() => undefined)
const state = { stopping: false }

async function runStage({ script, tests = false }: Stage): Promise<Outcome> {
  const began = performance.now()
  console.log(`\n--- ${script}`)
  const report = join(reports, `${script.replace(':', '-')}.json`)
  const code = await runProgram('npm', ['run', '--silent', script], { ...mark, ...(tests && { TEST_REPORT: report }) })
  const count = tests
    ? countTests(existsSync(report) ? readFileSync(report, 'utf8') : null, code)
    : { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 }
  return { ...count, script, seconds: (performance.now() - began) / 1000 }
}

const here = (): readonly Leftover[] => leftovers(`TEST_RUN=${run}`)

/** First asks (keepers then stop what they keep, and clean up), after some seconds insists. */
async function endAll(signal: string): Promise<never> {
  state.stopping = true
  console.log(`\nstopped by ${signal}`)
  for (let tries = 0; tries < 50 && here().length > 0; tries += 1) {
    for (const one of here()) tell(one, tries < 40 ? 'SIGTERM' : 'SIGKILL')
    await setTimeout(100)
  }
  console.log(summary([...outcomes, { passed: 0, failed: 1 }]))
  process.exit(1)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void endAll(signal))

function nothingLeftBehind(): Outcome {
  const left = here()
  for (const one of left) {
    console.error(`left behind: ${one.pid} ${one.command}`)
    tell(one, 'SIGKILL')
  }
  return { script: 'no process left', seconds: 0, passed: left.length === 0 ? 1 : 0, failed: left.length === 0 ? 0 : 1 }
}

const failed = (script: string | undefined): boolean => outcomes.some((one) => one.script === script && one.failed > 0)
for (const stage of stages) {
  if (state.stopping) await endless
  outcomes.push(
    failed(stage.after) ? { script: stage.script, seconds: 0, passed: 0, failed: 1 } : await runStage(stage),
  )
}
if (state.stopping) await endless
outcomes.push(nothingLeftBehind())

console.log('')
for (const { script, seconds, passed, failed } of outcomes) {
  console.log(`${script.padEnd(18)}${seconds.toFixed(1).padStart(7)} s  ${summary([{ passed, failed }])}`)
}
console.log(summary(outcomes))
process.exitCode = outcomes.some(({ failed }) => failed > 0) ? 1 : 0
