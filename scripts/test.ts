/**
 * The test command: it runs every check and every test. Each stage is an npm script. A failed stage does not stop the
 * run; the last line is the sum of all stages.
 */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { installChromium } from './chromium.ts'
import { findEngines } from './engines.ts'
import { findOrphans, type Orphan, signalOrphan } from './orphans.ts'
import { installPgbouncer } from './pgbouncer.ts'
import { runProgram } from './run-program.ts'
import { newScratchFolder } from './scratch-folder.ts'
import { type Count, countTests, type Failure, failuresOf, summary } from './test-report.ts'
import { unhandledErrorsFile } from './unhandled-errors.ts'

interface Stage {
  readonly script: string
  readonly args?: readonly string[]
  /** Whether the stage writes a report of its tests; otherwise it counts as a single test. */
  readonly tests?: boolean
  /** If that stage has failed, this stage is not run and counts as failed. */
  readonly needs?: string
}

/** Before the stages, because the programs may have to be installed. */
await installPgbouncer()
await installChromium()
const engines = await findEngines()

/** On one core it takes twice as long as all other checks together, so it runs beside them and the unit tests. */
const lint: Stage = { script: 'lint' }

const stages: readonly Stage[] = [
  { script: 'format:check' },
  { script: 'types' },
  { script: 'boundaries' },
  { script: 'knip' },
  { script: 'audit:deps' },
  { script: 'build' },
  { script: 'test:unit', tests: true },
  lint,
  { script: 'test:browser', tests: true, needs: 'build' },
  ...(engines.found.length > 0
    ? [{ script: 'test:engines', args: ['--', '--short'], tests: true, needs: 'build' }]
    : []),
]

const reports = resolve('.cache/test-reports')
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })

const scratch = newScratchFolder()

const run = `cashier-test-${process.pid}-${Date.now()}`
const mark = {
  TEST_RUN: run,
  NEXT_TELEMETRY_DISABLED: '1',
  TMPDIR: scratch.path,
  // The tests start hundreds of processes from the same sources.
  NODE_COMPILE_CACHE: resolve('.cache/node-compile'),
}

interface Outcome extends Count {
  readonly script: string
  readonly seconds: number
  /** Without failures that a stage does not report by name, such as a type error. */
  readonly failures: readonly Failure[]
}

const outcomes: Outcome[] = []
/** The main program waits for this while `stopAll` ends the process. */
const never = new Promise<never>(() => undefined)
const state = { stopping: false }

const oneTest = (passed: boolean): Omit<Outcome, 'script' | 'seconds'> => ({
  passed: passed ? 1 : 0,
  failed: passed ? 0 : 1,
  failures: [],
})

function unhandledErrors(report: string): readonly Failure[] {
  const file = unhandledErrorsFile(report)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly Failure[]) : []
}

async function runStage({ script, args = [], tests = false }: Stage, output?: number): Promise<Outcome> {
  const began = performance.now()
  if (output === undefined) console.log(`\n--- ${script}`)
  const report = join(reports, `${script.replace(':', '-')}.json`)
  const env = { ...mark, ...(tests && { TEST_REPORT: report }) }
  const code = await runProgram('npm', ['run', '--silent', script, ...args], env, output)
  const seconds = (performance.now() - began) / 1000
  if (!tests) return { ...oneTest(code === 0), script, seconds }
  const text = existsSync(report) ? readFileSync(report, 'utf8') : null
  return { ...countTests(text, code), script, seconds, failures: [...failuresOf(text), ...unhandledErrors(report)] }
}

const orphans = (): readonly Orphan[] => findOrphans(`TEST_RUN=${run}`)

/** SIGTERM first, so that supervisors stop their processes and clean up; SIGKILL after some seconds. */
async function stopAll(signal: string): Promise<never> {
  state.stopping = true
  console.log(`\nstopped by ${signal}`)
  for (let tries = 0; tries < 50 && orphans().length > 0; tries += 1) {
    for (const orphan of orphans()) signalOrphan(orphan, tries < 40 ? 'SIGTERM' : 'SIGKILL')
    await setTimeout(100)
  }
  scratch.remove()
  console.log(summary([...outcomes, { passed: 0, failed: 1 }], engines.missing))
  process.exit(1)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (!state.stopping) void stopAll(signal)
  })

function checkOrphans(): Outcome {
  const left = orphans()
  for (const orphan of left) {
    console.error(`still running: ${orphan.pid} ${orphan.command}`)
    signalOrphan(orphan, 'SIGKILL')
  }
  return { script: 'no orphans', seconds: 0, ...oneTest(left.length === 0) }
}

/** Starts a stage beside others. The returned function waits for it and prints its output. */
function startBeside(stage: Stage): () => Promise<Outcome> {
  const log = join(reports, `${stage.script}.log`)
  const output = openSync(log, 'w')
  const running = runStage(stage, output).finally(() => closeSync(output))
  return async () => {
    const outcome = await running
    console.log(`\n--- ${stage.script}\n${readFileSync(log, 'utf8')}`)
    return outcome
  }
}

const lintOutcome = startBeside(lint)
const runOrWait = (stage: Stage): Promise<Outcome> => (stage === lint ? lintOutcome() : runStage(stage))

const failed = (script: string | undefined): boolean => outcomes.some((one) => one.script === script && one.failed > 0)
for (const stage of stages) {
  if (state.stopping) await never
  outcomes.push(failed(stage.needs) ? { script: stage.script, seconds: 0, ...oneTest(false) } : await runOrWait(stage))
}
if (state.stopping) await never
outcomes.push(checkOrphans())
scratch.remove()

// Repeated here, because readers of a long log look at its end.
for (const { script, failures } of outcomes) {
  for (const { name, messages } of failures) console.log(`\nfailed in ${script}: ${name}\n${messages.join('\n')}`)
}

console.log('')
for (const { script, seconds, passed, failed } of outcomes) {
  console.log(`${script.padEnd(18)}${seconds.toFixed(1).padStart(7)} s  ${summary([{ passed, failed }])}`)
}
console.log(summary(outcomes, engines.missing))
process.exitCode = outcomes.some(({ failed }) => failed > 0) ? 1 : 0
