/** A worker process: runs seeds one after the other, and reports the result of each world. */
import { installVirtualProcess } from './virtual-process.ts'
import type { FaultKind } from './faults.ts'
import type { PlanOptions } from './plan.ts'
import type { TableDumps } from './table-dumps.ts'
import type { CallOrder } from './world-database.ts'

/** One seed to run. */
export interface SeedTask {
  readonly seed: string
  readonly options: PlanOptions
  readonly postgres: string | null
  /** Name of a deliberate bug. */
  readonly bug: string | null
  /** Which history a report has: none, the whole history, or the shortest history that fails. */
  readonly history: 'none' | 'whole' | 'shortest'
  /** The longest search for the shortest history; a minute by default. */
  readonly searchMs?: number
  /** `concurrent` by default. */
  readonly order?: CallOrder
}

export interface SeedReport {
  readonly seed: string
  /** As in the task. */
  readonly bug: string | null
  readonly violations: readonly string[]
  readonly transactions: number
  /** The requested history, line by line. */
  readonly history: readonly string[]
  readonly faults: readonly FaultKind[]
  readonly tables: readonly TableDumps[]
}

installVirtualProcess()
const [{ planOf }, { runWorld }, { shorten }, { bugNamed }] = await Promise.all([
  import('./plan.ts'),
  import('./run-world.ts'),
  import('./shrink.ts'),
  import('./deliberate-bugs.ts'),
])

async function runSeed(task: SeedTask): Promise<SeedReport> {
  const { seed, options, postgres, bug: bugName, history: asked, order = 'concurrent' } = task
  const plan = planOf(seed, options)
  const newBug = () => (bugName === null ? null : bugNamed(bugName))
  const told: string[] = []
  const onNote = asked === 'whole' ? (line: string) => void told.push(line) : null
  const first = await runWorld({ plan, postgres, bug: newBug(), onNote, order })
  const { violations, transactions, tables } = first
  const kinds = [...new Set(first.faults.map((name) => name.split(' ')[0] as FaultKind))]
  if (violations.length === 0 || asked !== 'shortest')
    return { seed, bug: bugName, violations, transactions, history: told, faults: kinds, tables }
  // Logged first, so that the reason is known if the search is stopped.
  console.error(`seed ${seed} fails; searching for its shortest history: ${violations.join('; ')}`)
  const short = await shorten(
    plan,
    first,
    (candidate, without) => runWorld({ plan: candidate, without, postgres, bug: newBug() }),
    task.searchMs,
  )
  const lines: string[] = []
  const last = await runWorld({
    plan: short.plan,
    without: short.without,
    postgres,
    bug: newBug(),
    onNote: (line) => lines.push(line),
  })
  const left = last.violations.length === 0 ? violations : last.violations
  const history = [
    `settings ${JSON.stringify(plan.settings)}`,
    `needed faults: ${last.faults.join(', ') || 'none'}`,
    ...lines,
  ]
  return { seed, bug: bugName, violations: left, transactions, history, faults: kinds, tables }
}

process.on('message', (task: SeedTask) => {
  runSeed(task).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
      const report: SeedReport = {
        seed: task.seed,
        bug: task.bug,
        violations: [`simulator: ${text}`],
        transactions: 0,
        history: [],
        faults: [],
        tables: [],
      }
      process.send?.(report)
    },
  )
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
