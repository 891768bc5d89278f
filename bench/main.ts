/**
 * `npm run bench [-- calls | webhooks | records | streams | page]`, after `npm run build`: measures this machine, each
 * figure beside a peer's. `instances`, `files`, `lists`, `console`, `growth` and `growth-million` take long and run
 * only when named.
 */
import { calls } from './calls.ts'
import { consoleReads } from './console.ts'
import { files } from './files.ts'
import { growthTo100k, growthToAMillion } from './growth.ts'
import { instances } from './instances.ts'
import { lists } from './lists.ts'
import { page } from './page.ts'
import { records } from './records.ts'
import { streams } from './streams.ts'
import { table, type Row } from './table.ts'
import { webhooks } from './webhooks.ts'

const benches: Readonly<Record<string, () => Promise<readonly Row[]>>> = { calls, webhooks, records, streams, page }
const long: typeof benches = {
  instances,
  files,
  lists,
  console: consoleReads,
  growth: growthTo100k,
  'growth-million': growthToAMillion,
}
const all = { ...benches, ...long }

const named = process.argv.slice(2)
const wrong = named.filter((name) => !(name in all))
if (wrong.length > 0) {
  console.error(`no bench ${wrong.join(', ')}; there are ${Object.keys(all).join(', ')}`)
  process.exit(1)
}
const rows: Row[] = []
for (const [name, bench] of Object.entries(named.length === 0 ? benches : all)) {
  if (named.length === 0 || named.includes(name)) rows.push(...(await bench()))
}
console.log(table(rows))
