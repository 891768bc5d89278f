/**
 * The peer of several instances: writes the rows of one webhook in one statement and commit, again and again, over
 * several connections. `node bench/bare-writer.ts <url> <writers> <milliseconds> <file>`: the file is a JSON array of
 * `WrittenRow`. Prints the commits a second.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import type { WrittenRow } from './written-rows.ts'

const [connectionString = '', writers = '', forMs = '', file = ''] = process.argv.slice(2)
const rows = JSON.parse(readFileSync(file, 'utf8')) as readonly WrittenRow[]
const inserts = rows.map(
  ({ table }, at) =>
    `w${at} as (insert into ${table} select * from jsonb_populate_record(null::${table}, $${at + 1}::jsonb))`,
)
const text = `with ${inserts.join(', ')} select 1`
const WARM_UP_MS = 500

const clients = Array.from({ length: Number(writers) }, () => new pg.Client({ connectionString }))
await Promise.all(clients.map((client) => client.connect()))

async function writeUntil(client: pg.Client, endMs: number): Promise<number> {
  let commits = 0
  for (; performance.now() < endMs; commits += 1) {
    const uuid = randomUUID()
    await client.query({ name: 'write', text, values: rows.map((row) => row.json.replaceAll(row.uuid, uuid)) })
  }
  return commits
}

const writeFor = async (ms: number): Promise<number> => {
  const began = performance.now()
  const commits = await Promise.all(clients.map((client) => writeUntil(client, began + ms)))
  return (commits.reduce((sum, count) => sum + count, 0) * 1000) / (performance.now() - began)
}

await writeFor(WARM_UP_MS)
console.log(await writeFor(Number(forMs)))
await Promise.all(clients.map((client) => client.end()))
