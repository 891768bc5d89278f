/** A process that opens the store at its argument, reports it, and ends. */
import { openStore } from '../store.ts'

const store = await openStore({ url: process.argv[2] ?? '', clock: Date.now, deliver: false })
await store.users.ensure(`process-${process.pid}`, Date.now())
process.stdout.write('open\n')
await store.close()
