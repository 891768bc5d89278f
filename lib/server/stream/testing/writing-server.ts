/**
 * A process for the crash test: serves streams, and publishes events one by one to user `u` until there are `last`.
 * Arguments: the database's address and `last`. Prints its own address.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '../../store/store.ts'
import { startStreamServer, tell } from './test-stream.ts'

const [url = '', last = '0'] = process.argv.slice(2)
const store = await openStore({ url, clock: Date.now, deliver: false })
await store.users.ensure('u', Date.now())
const { url: address } = await startStreamServer(store)
process.stdout.write(`${address}\n`)
for (;;) {
  const head = (await store.events.bounds('u'))?.head ?? 0
  if (head >= Number(last)) break
  await tell(store, 'u', head + 1)
  await sleep(2)
}
