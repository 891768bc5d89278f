/**
 * `npm run restored`: says that the database was restored from a backup (docs/guides/back-up.md, "Restore a backup"), so
 * that a cursor of the merchant's feed from before is not taken for a place in what is numbered from now on, and that no
 * withdrawal is sent which waited for the merchant when the backup was made, and may have been sent since. Refused
 * while an instance runs, which would give events under the old epoch meanwhile.
 */
import { parseArgs } from 'node:util'
import { countLiveInstances } from '#lib/server/store/commands/live-instances.ts'
import { withDatabase, withStore } from './with-store.ts'

const USAGE = 'npm run restored [-- --force]'

function readForce(): boolean | null {
  try {
    return parseArgs({ options: { force: { type: 'boolean', default: false } } }).values.force
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`)
    return null
  }
}

async function nobodyRuns(): Promise<boolean> {
  await withDatabase(async (url) => {
    const running = await countLiveInstances(url, Date.now)
    if (running === 0) return 0
    console.error(
      `Instances that run on this database: ${running}. Stop them first. One that was killed, and one that ran when the backup was made, counts for 15 s more. --force goes on all the same.`,
    )
    return 1
  })
  return process.exitCode === 0
}

const force = readForce()
if (force === null) process.exitCode = 2
else if (force || (await nobodyRuns()))
  await withStore(async (store) => {
    const { epoch, head } = await store.feedEpoch.position()
    await store.feedEpoch.startEpoch(epoch)
    console.log(`The feed of merchant events has ${head} events and goes on under a new epoch.`)
    console.log(
      'A cursor from before is answered with 410 cursor_lost: the merchant reads the feed from its beginning.',
    )
    const doubted = await store.withdrawals.doubtUnsent()
    if (doubted > 0)
      console.log(
        `Withdrawals that waited for the merchant when the backup was made: ${doubted}. They may have been sent since, so they are unknown until the gateway's list has them or lacks them.`,
      )
    return 0
  })
