/**
 * The fastest plain peer of the webhook route: one process that commits one row to SQLite for each verified event; all
 * events that wait share one commit. `node bench/group-webhooks.ts <folder>`.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { serveGroups } from './group-server.ts'

const db = new DatabaseSync(join(process.argv[2] ?? '.', 'group.db'))
db.exec(`pragma journal_mode = wal; pragma synchronous = full;
  create table events (uuid text, status text, body text not null, primary key (uuid, status));`)
const insertEvent = db.prepare('insert into events (uuid, status, body) values (?, ?, ?) on conflict do nothing')

serveGroups((group) => {
  db.exec('begin immediate')
  for (const { uuid, status, text } of group) insertEvent.run(uuid, status, text)
  db.exec('commit')
})
