/**
 * Runs the browser tests repeatedly beside a busy loop that uses a processor, and prints which tests failed in which
 * run: `npm run stress:browser -- --times 30`. Playwright's files about a failure are in `test-results/stress-N`. Other
 * arguments are passed on to Playwright. Needs `npm run build`.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { runProgram } from './run-program.ts'
import { newScratchFolder } from './scratch-folder.ts'
import { type Count, countTests, failuresOf, summary } from './test-report.ts'

const args = process.argv.slice(2)
const timesAt = args.indexOf('--times')
const times = timesAt === -1 ? 30 : Number(args[timesAt + 1])
const passedOn = timesAt === -1 ? args : args.toSpliced(timesAt, 2)
if (!Number.isInteger(times) || times < 1) {
  console.error('--times takes a whole number of at least 1')
  process.exit(1)
}

const reports = resolve('.cache/stress-reports')
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })

const busyLoop = new Worker('for (;;);', { eval: true })
const counts: Count[] = []
const failures: string[] = []
for (let run = 1; run <= times; run += 1) {
  const path = join(reports, `${run}.json`)
  const began = performance.now()
  const scratch = newScratchFolder()
  const runArgs = [`--output=test-results/stress-${run}`, ...passedOn]
  const code = await runProgram('npm', ['run', '--silent', 'test:browser', '--', ...runArgs], {
    TEST_REPORT: path,
    TMPDIR: scratch.path,
  })
  scratch.remove()
  const report = existsSync(path) ? readFileSync(path, 'utf8') : null
  const count = countTests(report, code)
  counts.push(count)
  failures.push(...failuresOf(report).map(({ name }) => `run ${run}: ${name}`))
  console.log(`\nrun ${run} of ${times}: ${summary([count])} in ${Math.round((performance.now() - began) / 1000)} s\n`)
}
await busyLoop.terminate()

for (const failure of failures) console.log(failure)
console.log(summary(counts))
process.exitCode = counts.some(({ failed }) => failed > 0) ? 1 : 0
