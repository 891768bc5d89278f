/**
 * `npm run simulate -- --seed N --runs M [--minutes T] [--db sqlite|postgres]`: simulates M worlds from seed N, or as
 * many as fit into T minutes. Prints the shortest history of each seed that fails (docs/explanation/reliability.md).
 */
import { parseArgs } from 'node:util'
import { startPostgres } from '../scripts/postgres.ts'
import { FAULT_KINDS, type FaultKind } from './faults.ts'
import { DEFAULT_FAULTS, type PlanOptions } from './plan.ts'
import { runSeeds } from './run-seeds.ts'
import type { SeedReport, SeedTask } from './worker.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string' },
    minutes: { type: 'string' },
    db: { type: 'string', default: 'sqlite' },
    workers: { type: 'string' },
    transactions: { type: 'string' },
    /** Kinds of faults to leave out, separated by commas. */
    without: { type: 'string', default: '' },
    /** Settings of every world as JSON, such as `{"maintenance":"restored"}`. */
    settings: { type: 'string', default: '{}' },
    bug: { type: 'string' },
    /** Skip the search for the shortest history. */
    quick: { type: 'boolean', default: false },
  },
})

const isKind = (name: string): name is FaultKind => Object.hasOwn(FAULT_KINDS, name)
const kindsOf = (list: string): readonly FaultKind[] =>
  list.split(',').flatMap((name) => {
    if (name === '') return []
    if (isKind(name)) return name
    throw new Error(`there is no fault ${name}: ${Object.keys(FAULT_KINDS).join(', ')}`)
  })

const seed = Number(values.seed)
const minutes = values.minutes === undefined ? null : Number(values.minutes)
const runs = values.runs === undefined ? (minutes === null ? 100 : Infinity) : Number(values.runs)
if (!Number.isSafeInteger(seed) || !(runs > 0)) throw new Error('--seed and --runs must be whole numbers')
if (values.db !== 'sqlite' && values.db !== 'postgres') throw new Error('--db must be sqlite or postgres')

const postgres = values.db === 'postgres' ? await startPostgres() : null
const settings = JSON.parse(values.settings) as PlanOptions['settings'] & object
const left = kindsOf(values.without)
const faults = DEFAULT_FAULTS.filter((kind) => !left.includes(kind))

function* tasks(): Generator<SeedTask> {
  for (let run = 0; run < runs; run += 1)
    yield {
      seed: String(seed + run),
      options: {
        faults,
        settings,
        hasPostgres: postgres !== null,
        ...(values.transactions !== undefined && { transactions: Number(values.transactions) }),
      },
      postgres: postgres?.url ?? null,
      bug: values.bug ?? null,
      history: values.quick ? 'none' : 'shortest',
    }
}

const began = performance.now()
const sum = { worlds: 0, transactions: 0, failed: 0 }

function report({ seed: of, violations, transactions, history }: SeedReport): void {
  sum.worlds += 1
  sum.transactions += transactions
  if (violations.length === 0) return
  sum.failed += 1
  console.log(`\nseed ${of} fails`)
  for (const line of violations.slice(0, 10)) console.log(`  ${line}`)
  console.log(`shortest history that fails:`)
  for (const line of history) console.log(`  ${line}`)
}

try {
  const untilMs = minutes === null ? Infinity : began + minutes * 60_000
  await runSeeds({
    tasks: tasks(),
    onReport: report,
    isOver: () => performance.now() > untilMs,
    ...(values.workers === undefined ? {} : { workers: Number(values.workers) }),
  })
} finally {
  await postgres?.stop()
}
const seconds = (performance.now() - began) / 1000
const rate = Math.round((sum.transactions / seconds) * 60)
console.log(
  `${sum.worlds} worlds, ${sum.transactions} transactions on ${values.db} in ${seconds.toFixed(0)} s (${rate} a minute): ${sum.failed} failed`,
)
process.exitCode = sum.failed > 0 ? 1 : 0
