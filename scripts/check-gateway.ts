/**
 * `npm run check:gateway [-- --user U]`: reads the whole lists of one user or of all users, within
 * `RECONCILE_CALLS_PER_S`, and compares what the gateway took in and paid out with the books
 * (docs/explanation/money.md, "Control totals"). Prints each difference with its transactions. Exit code 1 if there is
 * one, 2 if a list could not be read completely or nothing is stored about the user. It may run beside the cashier: what
 * a list has and the books lack is applied first, as the cashier does by itself.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createCircuit } from '#lib/server/gateway/circuit.ts'
import { createGatewayClient } from '#lib/server/gateway/client.ts'
import { createCallBudget } from '#lib/server/reconcile/call-budget.ts'
import { createCheckTotals } from '#lib/server/reconcile/check-totals.ts'
import { createReadWhole, totalsLines, type WholeList } from '#lib/server/reconcile/read-whole.ts'
import { configOf, type Config } from '#lib/server/runtime/config/config.ts'
import { faultsText, readEnvironment } from '#lib/server/runtime/config/environment.ts'
import { booksFault, writeOnlyBy } from '#lib/server/runtime/keep-books.ts'
import type { Store } from '#lib/server/store/store.ts'
import { usageText } from './program/help.ts'
import { withStore } from './with-store.ts'

const USERS = 200

async function* usersOf(store: Store, only: string | undefined): AsyncGenerator<string> {
  if (only !== undefined) {
    yield only
    return
  }
  for (let users = await store.users.idsAfter('', USERS); users.length > 0;) {
    yield* users
    users = await store.users.idsAfter(users.at(-1) ?? '', USERS)
  }
}

function print({ totals, open }: WholeList): boolean {
  const differing = totals.filter(({ transactions }) => transactions.length > 0)
  for (const line of differing.flatMap(totalsLines)) console.log(line)
  for (const { user_reference_id, transaction_uuid, amount, currency_code } of open)
    console.log(`${user_reference_id}: payout ${transaction_uuid} of ${amount ?? '?'} ${currency_code} has no owner`)
  return differing.length > 0 || open.length > 0
}

async function check(store: Store, config: Config, only: string | undefined): Promise<number> {
  const ledgerStartMs = await store.reconciliation.ledgerStart()
  if (ledgerStartMs === null) {
    console.error('This database was never used: start the cashier first.')
    return 2
  }
  const { ledgerMode, overdueMs } = config
  // Whoever keeps the books may change during a long run.
  writeOnlyBy(store, ledgerMode)
  const fault = booksFault(ledgerMode, await store.reconciliation.books())
  if (fault !== null) {
    console.error(`Nothing was changed: ${fault}. Run it with the cashier's environment.`)
    return 2
  }
  if (only !== undefined && (await store.users.find(only)) === null) {
    console.error(`There is no user ${only} here.`)
    return 2
  }
  if (ledgerMode === 'merchant')
    console.log('The merchant keeps the books: only payouts without an owner, and earlier differences, are looked for.')
  await store.followDelivery()
  const clock = Date.now
  const statusWords = config.gatewayStatusWords
  const gateway = createGatewayClient({ ...config.gateway, statusWords, clock, newNonce: randomUUID })
  const circuit = createCircuit(clock)
  const budget = createCallBudget({
    ...{ gateway, clock, circuit, perSecond: config.reconcileCallsPerS },
    reserve: (count, everyMs) => store.reconciliation.reserveCalls(count, everyMs),
    sleep: (ms) => sleep(ms),
  })
  const { statuses } = gateway
  const checkTotals = createCheckTotals({ store, statuses, ledgerMode, ledgerStartMs, overdueMs, clock })
  const readWhole = createReadWhole({
    ...{ store, statuses, ledgerMode, ledgerStartMs, clock, checkTotals },
    lists: budget.lists('sweep'),
    clockOffsetMs: () => gateway.clockOffsetMs(),
  })
  let [users, differ, unread] = [0, 0, 0]
  try {
    for await (const user of usersOf(store, only)) {
      users += 1
      const list = await readWhole(user)
      if (typeof list === 'string') {
        unread += 1
        console.error(`${user}: ${list}`)
        if (circuit.isDown()) break
      } else if (print(list)) differ += 1
    }
  } finally {
    budget.close()
    await gateway.close()
  }
  if (circuit.isDown()) console.error('The gateway cannot be reached: the users after this one were not checked.')
  console.log(`${users} users: ${differ} with differences, ${unread} with a list that could not be read.`)
  if (unread > 0) return 2
  return differ > 0 ? 1 : 0
}

function readUser(): { readonly user: string | undefined } | null {
  try {
    return { user: parseArgs({ options: { user: { type: 'string' } } }).values.user }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usageText('check-gateway')}`)
    return null
  }
}

const given = readUser()
const read = readEnvironment()
if (!read.ok) console.error(faultsText(read.faults))
if (given === null || !read.ok) process.exitCode = 2
else {
  const config = configOf(read.settings, read.settings.port)
  await withStore((store) => check(store, config, given.user), { deliver: config.merchantWebhookUrl !== null })
}
