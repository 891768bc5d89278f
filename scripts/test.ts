/**
 * The test command: it runs every check and every test. Each stage is an npm script. A failed stage does not stop the
 * run; the last line is the sum of all stages.
 *
 * The main stages often wait: for processes, databases and pages. Checks and simulations only compute, so they run
 * beside them at the lowest priority, in what they leave of the processor.
 */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { installChromium } from './chromium.ts'
import { findEngines } from './engines.ts'
import { findOrphans, type Orphan, signalOrphan } from './orphans.ts'
import { installPgbouncer } from './pgbouncer.ts'
import { type ProgramOptions, runProgram } from './run-program.ts'
import { newScratchFolder } from './scratch-folder.ts'
import { type Count, countTests, type Failure, failuresOf, secondTriesOf, summary } from './test-report.ts'
import { unhandledErrorsFile } from './unhandled-errors.ts'

interface Stage {
  readonly script: string
  readonly args?: readonly string[]
  /** Whether the stage writes a report of its tests; otherwise it counts as a single test. */
  readonly tests?: boolean
  /** This stage waits for that one. If that has failed, this is not run and counts as failed. */
  readonly needs?: string
  /** This stage waits for that one, however it ends. */
  readonly after?: string
}

/** Before the stages, because the programs may have to be installed. */
await installPgbouncer()
await installChromium()
const engines = await findEngines()

/** Tracks run side by side; the stages of a track run one after the other. */
const main: readonly Stage[] = [
  { script: 'build' },
  { script: 'test:unit', tests: true },
  { script: 'test:browser', tests: true, needs: 'build' },
]
/** One browser at a time. */
const engineTrack: readonly Stage[] =
  engines.found.length > 0 ? [{ script: 'test:engines', args: ['--', '--short'], tests: true, needs: 'build' }] : []
/** The longest first. */
const low: readonly Stage[] = [
  { script: 'lint' },
  // It generates the types of the routes, as the build does in the same folder.
  { script: 'types', after: 'build' },
  { script: 'format:check' },
  { script: 'boundaries' },
  { script: 'knip' },
  { script: 'audit:deps' },
  { script: 'test:timeless', tests: true },
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
  readonly secondTries: readonly Failure[]
}

const outcomes: Outcome[] = []
/** The main program waits for this while `stopAll` ends the process. */
const never = new Promise<never>(() => undefined)
const state = { stopping: false }

const oneTest = (passed: boolean): Omit<Outcome, 'script' | 'seconds'> => ({
  passed: passed ? 1 : 0,
  failed: passed ? 0 : 1,
  failures: [],
  secondTries: [],
})

function unhandledErrors(report: string): readonly Failure[] {
  const file = unhandledErrorsFile(report)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly Failure[]) : []
}

async function runStage({ script, args = [], tests = false }: Stage, how: ProgramOptions): Promise<Outcome> {
  const began = performance.now()
  const report = join(reports, `${script.replace(':', '-')}.json`)
  const env = { ...mark, ...(tests && { TEST_REPORT: report }) }
  const code = await runProgram('npm', ['run', '--silent', script, ...args], env, how)
  const seconds = (performance.now() - began) / 1000
  if (!tests) return { ...oneTest(code === 0), script, seconds }
  const text = existsSync(report) ? readFileSync(report, 'utf8') : null
  return {
    ...countTests(text, code),
    script,
    seconds,
    failures: [...failuresOf(text), ...unhandledErrors(report)],
    secondTries: secondTriesOf(text),
  }
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

const all = [...main, ...engineTrack, ...low].map(({ script }) => script)
/** By stage, whether it has passed. */
const ended = new Map(all.map((script) => [script, Promise.withResolvers<boolean>()]))
/** The output of ended stages that is not printed yet. */
const logs: string[] = []
const printLogs = (): void => {
  for (const text of logs.splice(0)) console.log(text)
}

/** Runs a stage; its output is printed later, unless it is a main stage. */
async function runOrSkip(stage: Stage, priority: number | null): Promise<Outcome> {
  const { script, needs } = stage
  if (needs !== undefined && (await ended.get(needs)?.promise) !== true)
    return { script, seconds: 0, ...oneTest(false) }
  if (main.includes(stage)) {
    console.log(`\n--- ${script}`)
    return runStage(stage, {})
  }
  const log = join(reports, `${script.replace(':', '-')}.log`)
  const output = openSync(log, 'w')
  const outcome = await runStage(stage, { output, ...(priority !== null && { priority }) })
  closeSync(output)
  logs.push(`\n--- ${script}\n${readFileSync(log, 'utf8')}`)
  return outcome
}

async function runTrack(stages: readonly Stage[], priority: number | null = null): Promise<void> {
  for (const stage of stages) {
    if (stage.after !== undefined) await ended.get(stage.after)?.promise
    if (state.stopping) await never
    const outcome = await runOrSkip(stage, priority)
    outcomes.push(outcome)
    ended.get(stage.script)?.resolve(outcome.failed === 0)
    // Between main stages, not in the middle of their output.
    if (main.includes(stage)) printLogs()
  }
}

await Promise.all([runTrack(main), runTrack(engineTrack), runTrack(low, constants.priority.PRIORITY_LOW)])
printLogs()
outcomes.sort((a, b) => all.indexOf(a.script) - all.indexOf(b.script))
if (state.stopping) await never
outcomes.push(checkOrphans())
scratch.remove()

// Repeated here, because readers of a long log look at its end.
for (const { script, failures, secondTries } of outcomes) {
  const tell = (what: string, { name, messages }: Failure): void =>
    console.log(`\n${what} ${script}: ${name}\n${messages.join('\n')}`)
  for (const one of secondTries) tell('passed only at a second try in', one)
  for (const one of failures) tell('failed in', one)
}

console.log('')
for (const { script, seconds, passed, failed } of outcomes) {
  console.log(`${script.padEnd(18)}${seconds.toFixed(1).padStart(7)} s  ${summary([{ passed, failed }])}`)
}
console.log(summary(outcomes, engines.missing))
process.exitCode = outcomes.some(({ failed }) => failed > 0) ? 1 : 0
