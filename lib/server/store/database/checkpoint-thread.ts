/** The thread of `sqlite-log.ts`: each message asks for one checkpoint of the database `workerData`. */
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

const db = new DatabaseSync(String(workerData))
// Pages in the database's file are flushed before the log may be used again.
db.exec('pragma synchronous = normal')
const checkpoint = db.prepare('pragma wal_checkpoint(passive)')

parentPort?.on('message', () => {
  checkpoint.get()
})
