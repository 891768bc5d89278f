/** A cashier system under load, and what is seen of it when all is at rest. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EnvVariables } from '../fixtures/processes.ts'
import type { PageClient } from '../system/page.ts'
import { openWithdrawals, quarantined, readBooks, readFeed, readGateway, waitingEvents } from './books.ts'
import type { Cluster } from './cluster.ts'
import { startLoad, type ClientLoad } from './load.ts'
import { untold, type Observations } from './oracle.ts'
import { startFailoverSystem, type FailoverSystem } from './system.ts'

export interface Verdict {
  /** A line for each fault. */
  readonly found: readonly string[]
}

export interface LoadedSystem extends FailoverSystem {
  readonly load: ClientLoad
  readonly users: readonly string[]
}

export async function startLoadedSystem(
  folder: string,
  cluster: Cluster,
  users: { readonly payers: number; readonly told: number },
  settings: EnvVariables = {},
): Promise<LoadedSystem> {
  const system = await startFailoverSystem(folder, cluster.databaseUrl, settings)
  const pagesOf = async (name: string, count: number): Promise<ReadonlyMap<string, PageClient>> => {
    const pages = new Map<string, PageClient>()
    for (let at = 1; at <= count; at += 1) pages.set(`${name}-${at}`, await system.page(`${name}-${at}`))
    return pages
  }
  const [payers, told] = [await pagesOf('payer', users.payers), await pagesOf('told', users.told)]
  const load = startLoad({ ...system, payers, told })
  return { ...system, load, users: [...payers.keys(), ...told.keys()] }
}

/** Waits until this is true, at most so long. */
async function until(holds: () => Promise<boolean> | boolean, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > end) return false
    await sleep(1000)
  }
  return true
}

const END_MS = 90_000
/** A stream may be silent for so long after an outage. */
const STREAMS_MS = 150_000

/** Ends the load, waits until nothing is open, and reads the books. Keeps what it saw beside the logs. */
export async function observe(system: LoadedSystem, cluster: Cluster, folder: string): Promise<Observations> {
  const { load, merchant, control, users } = system
  const stopped = await Promise.race([load.stop().then(() => true), sleep(END_MS, false)])
  // The gateway would wait for many minutes after the attempts that the outages refused.
  await control.call('POST', '/webhooks/flush', {})
  const delivered = await until(async () => (await waitingEvents(control)) === 0, END_MS)
  const unrest = [...(stopped ? [] : ['requests have no answer']), ...(delivered ? [] : ['events of the gateway wait'])]
  await until(async () => (await openWithdrawals(merchant)) === 0, END_MS)
  console.log('In quarantine:', await quarantined(merchant))
  const books = await readBooks(merchant, cluster.databaseUrl, users, system.currency)
  await until(async () => {
    const feed = await readFeed(merchant)
    return load.streams().every((stream) => untold(stream, { ...books, feed }).length === 0)
  }, STREAMS_MS)
  const streams = load.streams()
  load.close()
  const feed = await readFeed(merchant)
  const { webhooks, deposits, withdrawals } = load
  const seen = { webhooks, deposits, withdrawals, streams, books: { ...books, feed }, ...(await readGateway(control)) }
  writeFileSync(join(folder, 'observations.json'), JSON.stringify({ unrest, ...seen }))
  return { unrest, ...seen }
}
