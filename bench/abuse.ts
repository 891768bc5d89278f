/**
 * `npm run abuse`, after `npm run build`: how many resources strangers can hold, and how that slows an honest user
 * (docs/explanation/reliability.md, "Abuse"). The strangers run on the same machine. A text after `--` selects the
 * attacks whose names contain it.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startStack, type Stack } from '../e2e/fixtures/stack.ts'
import { launched, measure, type Felt, type Visit } from './abuse-honest.ts'
import type { Orders, Progress } from './abuse-strangers.ts'
import { abuses, type Abuse } from './abuse-tasks.ts'

const WARM_UP_MS = 6000
const IDLE_MS = 4000
const MEASURE_MS = 6000
/** Time for the strangers to open their connections, and to close them. */
const SETTLE_MS = 2500
/** The best round counts, with and without load, because other programs on the machine only slow a round down. */
const ROUNDS = 3
/** A session may make 600 calls a minute, so several sessions share the measurement. */
const USERS = 30

interface Round {
  readonly idle: Felt
  readonly felt: Felt
  readonly progress: Progress
}

function strangers(orders: Orders): ChildProcess {
  const child = fork(join(import.meta.dirname, 'abuse-strangers.ts'))
  child.send(orders)
  return child
}

async function progressOf(children: readonly ChildProcess[]): Promise<Progress> {
  const each = children.map(async (child) => {
    child.send('progress')
    const [progress] = (await once(child, 'message')) as [Progress]
    return progress
  })
  const all = await Promise.all(each)
  const sum = (of: keyof Progress): number => all.reduce((total, one) => total + one[of], 0)
  return { open: sum('open'), answered: sum('answered') }
}

async function round(stack: Stack, visits: readonly Visit[], { tasks }: Abuse): Promise<Round> {
  const idle = await measure(stack, visits, IDLE_MS)
  const children = tasks.map((task) => strangers({ url: stack.cashier.url, task }))
  try {
    await sleep(SETTLE_MS)
    const felt = await measure(stack, visits, MEASURE_MS)
    return { idle, felt, progress: await progressOf(children) }
  } finally {
    const gone = children.map((child) => once(child, 'exit'))
    for (const child of children) child.disconnect()
    await Promise.all(gone)
    await sleep(SETTLE_MS)
  }
}

/** The best p95 of each over all rounds, and the failures of all rounds. */
const best = (all: readonly Felt[]): Felt => ({
  page: Math.min(...all.map(({ page }) => page)),
  webhook: Math.min(...all.map(({ webhook }) => webhook)),
  failed: all.reduce((total, { failed }) => total + failed, 0),
})

const line = (cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`)
const ms = (value: number): string => value.toFixed(1)

const wanted = process.argv[2] ?? ''
const stack = await startStack({ cashier: { LOG_LEVEL: 'warn', HOST: '127.0.0.1' } })
try {
  const visits: Visit[] = []
  for (let at = 0; at < USERS; at += 1) visits.push(await launched(stack))
  await measure(stack, visits, WARM_UP_MS)
  line(['strangers', 'open', 'answered', 'page, p95 ms', 'idle', 'ratio', 'webhook, p95 ms', 'idle', 'ratio', 'failed'])
  line(['---', ...Array.from({ length: 9 }, () => '---:')])
  for (const abuse of abuses(visits).filter(({ name }) => name.includes(wanted))) {
    const rounds: Round[] = []
    for (let at = 0; at < ROUNDS; at += 1) rounds.push(await round(stack, visits, abuse))
    const [idle, felt] = [best(rounds.map((one) => one.idle)), best(rounds.map((one) => one.felt))]
    const most = (of: keyof Progress): string => String(Math.max(...rounds.map(({ progress }) => progress[of])))
    line([
      abuse.name,
      most('open'),
      most('answered'),
      ms(felt.page),
      ms(idle.page),
      (felt.page / idle.page).toFixed(1),
      ms(felt.webhook),
      ms(idle.webhook),
      (felt.webhook / idle.webhook).toFixed(1),
      String(felt.failed),
    ])
  }
} finally {
  await stack.stop()
}
