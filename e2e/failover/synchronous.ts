/** Rounds of faults on a synchronous cluster: nothing acknowledged may be lost, and all answer again soon. */
import { setTimeout as sleep } from 'node:timers/promises'
import { answersAgainAfter, heardAgainAfter, medianAndMost } from './availability.ts'
import { startCluster } from './cluster.ts'
import { FAULTS } from './faults.ts'
import type { ClientLoad } from './load.ts'
import { judge } from './oracle.ts'
import type { FaultName, Round } from './plan.ts'
import { observe, startLoadedSystem, type Verdict } from './run.ts'

const WHOLE_MS = 120_000
const PAYERS = 9
const TOLD = 6
const LONGEST_OUTAGE_MS = 60_000
/** Every lane has answered within so long. */
const STEADY_MS = 3000
const AFTER_MS = 3000

interface Measured {
  readonly fault: FaultName
  /** Null when not all answered. */
  readonly answers: number | null
  readonly streams: number | null
  /** Requests that failed after the fault's end. */
  readonly laterFailed: number
}

/** Each lane has an answer to a request that began after the fault and a moment ago. */
function answersNow({ outcomes }: ClientLoad, struckAt: number): boolean {
  const since = Math.max(struckAt, Date.now() - STEADY_MS)
  const answered = new Set(outcomes.filter(({ ok, startedAt }) => ok && startedAt >= since).map(({ lane }) => lane))
  return Date.now() - struckAt >= STEADY_MS && answered.size === new Set(outcomes.map(({ lane }) => lane)).size
}

export async function runSynchronous(folder: string, rounds: readonly Round[]): Promise<Verdict> {
  const cluster = await startCluster(folder, true)
  const system = await startLoadedSystem(folder, cluster, { payers: PAYERS, told: TOLD }, { DATABASE_REPLICATED: 'on' })
  const { load } = system
  const found: string[] = []
  const struck: { readonly round: Round; readonly from: number; readonly to: number }[] = []
  for (const round of rounds) {
    await cluster.whole(WHOLE_MS)
    await sleep(round.calmMs)
    const fault = FAULTS[round.fault]
    const primary = await cluster.primary()
    const from = Date.now()
    await fault.strike(primary, cluster)
    while (!answersNow(load, from) && Date.now() - from < LONGEST_OUTAGE_MS) await sleep(200)
    await sleep(AFTER_MS)
    const to = Date.now()
    fault.end(primary, cluster)
    struck.push({ round, from, to })
    const answers = answersAgainAfter(load.outcomes, { from, to })
    console.log(`${round.number} ${round.fault} of ${primary.name}: answers again after ${answers ?? 'never'} ms`)
    if (answers === null || answers > fault.answersWithinMs)
      found.push(`round ${round.number}, ${fault.text}: answers again after ${answers ?? 'never'} ms`)
  }
  await cluster.whole(WHOLE_MS)
  await sleep(STEADY_MS)
  const measured = struck.map(({ round, from, to }, at): Measured => {
    const next = struck[at + 1]?.from ?? Date.now()
    const streams = [...load.heard.values()].map((times) => heardAgainAfter(times, { from, to }))
    return {
      fault: round.fault,
      answers: answersAgainAfter(load.outcomes, { from, to }),
      streams: streams.some((one) => one === null) ? null : Math.max(...streams.map(Number)),
      laterFailed: load.outcomes.filter((one) => one.startedAt > to && one.startedAt < next && !one.ok).length,
    }
  })
  const seen = await observe(system, cluster, folder)
  print(measured, load)
  return { found: [...found, ...judge(seen)] }
}

function print(measured: readonly Measured[], load: ClientLoad): void {
  const rows = [...Map.groupBy(measured, ({ fault }) => fault)].map(([fault, rounds]) => {
    const of = (pick: (one: Measured) => number | null) => medianAndMost(rounds.map(pick).filter((one) => one !== null))
    const [answers, streams] = [of((one) => one.answers), of((one) => one.streams)]
    return {
      fault,
      rounds: rounds.length,
      'answers p50 ms': answers.p50,
      'answers max ms': answers.max,
      'streams p50 ms': streams.p50,
      'streams max ms': streams.max,
      'failed after its end': rounds.reduce((sum, one) => sum + one.laterFailed, 0),
    }
  })
  console.table(rows)
  const { webhooks, withdrawals, deposits, outcomes } = load
  console.log(
    `${webhooks.length} signed webhooks, ${withdrawals.length} withdrawals, ${deposits.length} deposits, ` +
      `${outcomes.length} measured requests, ${outcomes.filter((one) => !one.ok).length} failed`,
  )
}
