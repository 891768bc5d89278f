/**
 * A failover that loses commits: standbys that lag 2.5 s behind, then the primary's machine dies. Clients that were
 * answered send the same requests again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startCluster } from './cluster.ts'
import { FAULTS } from './faults.ts'
import { ASYNCHRONOUS_CLAUSES, judge } from './oracle.ts'
import { observe, startLoadedSystem, type Verdict } from './run.ts'

const WHOLE_MS = 120_000
/** Withdrawals are refused for `WITHDRAWAL_ABSENCE_S` after the last loss, and until the lists are read again. */
const CALM_MS = 30_000
const LAG_MS = 2500
const AGAIN_MS = 20_000

export async function runAsynchronous(folder: string, rounds: number): Promise<Verdict> {
  const cluster = await startCluster(folder, false)
  const system = await startLoadedSystem(folder, cluster, { payers: 8, told: 0 })
  const { load } = system
  for (let round = 1; round <= rounds; round += 1) {
    await cluster.whole(WHOLE_MS)
    await sleep(CALM_MS)
    const primary = await cluster.primary()
    const lagsSince = Date.now()
    await FAULTS.apart.strike(primary, cluster)
    await sleep(LAG_MS)
    const answered = load.withdrawals.filter(({ ids }) => ids.length > 0).length
    primary.signal('SIGKILL')
    await sleep(AGAIN_MS)
    console.log(`${round}: ${primary.name} died after ${answered} withdrawals`)
    await load.sendAgain(lagsSince)
    FAULTS.apart.end(primary, cluster)
    cluster.boot(primary)
  }
  await cluster.whole(WHOLE_MS)
  return { found: judge(await observe(system, cluster, folder), ASYNCHRONOUS_CLAUSES) }
}
