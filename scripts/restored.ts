/**
 * `npm run restored`: says that the database was restored from a backup (docs/operating.md, "Restoring a backup"), so
 * that a cursor of the merchant's feed from before is not taken for a place in what is numbered from now on.
 */
import { withStore } from './with-store.ts'

await withStore(async (store) => {
  const { epoch, head } = await store.feed.position()
  await store.feed.startEpoch(epoch)
  console.log(`The feed of merchant events has ${head} events and goes on under a new epoch.`)
  console.log('A cursor from before is answered with 410 cursor_lost: the merchant reads the feed from its beginning.')
  return 0
})
