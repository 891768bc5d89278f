/**
 * `npm run restored`: run it after the database was restored from a backup (docs/guides/back-up.md, "Restore a
 * backup"). It starts a new epoch of the merchant's feed, so that older cursors are refused. It marks each withdrawal
 * that waited for the merchant at the time of the backup as unknown, because it may have been sent since. Each user's
 * withdrawals wait until the gateway's list was compared with the books. It refuses to run beside an instance, which
 * would still serve events under the old epoch.
 */
import { parseArgs } from 'node:util'
import { findLiveInstances, liveInstancesFault } from '#lib/server/store/commands/live-instances.ts'
import { distrust } from '#lib/server/store/restored.ts'
import { usageText } from './program/help.ts'
import { restoredLines } from './restored-lines.ts'
import { withDatabase, withStore } from './with-store.ts'

function readForce(): boolean | null {
  try {
    return parseArgs({ options: { force: { type: 'boolean', default: false } } }).values.force
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usageText('restored')}`)
    return null
  }
}

async function nobodyRuns(): Promise<boolean> {
  await withDatabase(async (url) => {
    const fault = liveInstancesFault('this database', await findLiveInstances(url, Date.now))
    if (fault === null) return 0
    console.error(`${fault} Use --force to continue without waiting.`)
    return 1
  })
  return process.exitCode === 0
}

const force = readForce()
if (force === null) process.exitCode = 2
else if (force || (await nobodyRuns()))
  await withStore(async (store) => {
    const { head, doubted } = await store.transaction(async (tx) => {
      // The next start takes the server for the one that was restored.
      await tx.reconciliation.forgetTimeline()
      return distrust(tx)
    })
    console.log(`The feed of merchant events ends with number ${head} and continues under a new epoch.`)
    console.log('An older cursor gets 410 cursor_lost: the merchant then reads the feed from its beginning.')
    for (const line of restoredLines('the backup', 'the failure')) console.log(line)
    if (doubted > 0)
      console.log(
        `Withdrawals that waited for the merchant when the backup was made: ${doubted}. They may have been sent since, so their status is unknown until the gateway's list shows whether they exist.`,
      )
    return 0
  })
