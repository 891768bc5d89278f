/**
 * What the rows of a webhook cost by themselves: one process that writes for each verified deposit the rows that the
 * cashier has written for one, into the same tables and indexes, with prepared statements and without a question, a
 * check or a calculation. All events that wait share one commit. `node bench/rows-webhooks.ts <folder> <database>`: the
 * database is that of a cashier that has applied one deposit.
 */
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { packText } from '../lib/server/store/database/packed-text.ts'
import { serveGroups, type VerifiedEvent } from './group-server.ts'

const [folder = '.', database = ''] = process.argv.slice(2)
const file = join(folder, 'rows.db')
const original = new DatabaseSync(database, { readOnly: true })
original.exec(`vacuum into '${file}'`)
original.close()

const db = new DatabaseSync(file)
db.exec(
  'pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -4096; pragma wal_autocheckpoint = 10000',
)

const newest = db.prepare('select * from transactions where kind = ? order by created_ms desc limit 1').get('deposit')
if (newest === undefined) throw new Error('the database has no deposit')
const sample = { uuid: String(newest['transaction_uuid']), user: String(newest['user_reference_id']) }
const { currency_id: currency = null } = newest

/** The next number of each stream, and of the feed. */
const numbers = new Map<string, number>()
const next = (name: string, stored: () => unknown): number => {
  const number = (numbers.get(name) ?? Number(stored() ?? 0)) + 1
  numbers.set(name, number)
  return number
}
const newestSeq = db.prepare('select stream_seq as value from users where user_reference_id = ?')
const newestCursor = db.prepare('select max(cursor) as value from merchant_events')
const nextSeq = (user: string): number => next(user, () => newestSeq.get(user)?.['value'])
const nextCursor = (): number => next('', () => newestCursor.get()?.['value'])

/** The cells that differ in each copy, besides the transaction's and the user's names. */
const OWN: Readonly<Record<string, (event: VerifiedEvent) => Readonly<Record<string, SQLInputValue>>>> = {
  stream_events: ({ user }) => ({ seq: nextSeq(user) }),
  merchant_events: () => ({ cursor: nextCursor() }),
  webhooks: ({ text }) => ({ body: packText(text) }),
}

const bareUuid = sample.uuid.replaceAll('-', '')

/** A cell of a copy. Most cells are the same in each. */
const cellOf = (cell: SQLInputValue): ((event: VerifiedEvent, bare: string) => SQLInputValue) => {
  if (typeof cell !== 'string' || ![sample.uuid, bareUuid, sample.user].some((name) => cell.includes(name)))
    return () => cell
  return ({ uuid, user }, bare) =>
    cell.replaceAll(sample.uuid, uuid).replaceAll(bareUuid, bare).replaceAll(sample.user, user)
}

interface Template {
  readonly insert: StatementSync
  readonly values: (event: VerifiedEvent, bare: string) => SQLInputValue[]
}

/** The rows of the deposit in a table, without the key that SQLite gives them. */
function templatesOf(table: string, column: string, value: SQLInputValue): readonly Template[] {
  const rows = db.prepare(`select * from ${table} where "${column}" = ?`).all(value)
  if (rows.length === 0) throw new Error(`no row of ${table} is the deposit's`)
  return rows.map((row) => {
    const { id: _id, ...cells } = row
    const names = Object.keys(cells)
    const marks = names.map(() => '?').join()
    const insert = db.prepare(`insert into ${table} (${names.map((name) => `"${name}"`).join()}) values (${marks})`)
    const copies = names.map((name) => [name, cellOf(cells[name] ?? null)] as const)
    const own = OWN[table]
    const values: Template['values'] = (event, bare) => {
      const others = own?.(event) ?? {}
      return copies.map(([name, copy]) => others[name] ?? copy(event, bare))
    }
    return { insert, values }
  })
}

const templates = [
  ...templatesOf('transactions', 'transaction_uuid', sample.uuid),
  ...templatesOf('row_users', 'name', sample.uuid),
  ...templatesOf('postings', 'created_ms', newest['created_ms'] ?? null),
  ...templatesOf('webhooks', 'transaction_uuid', sample.uuid),
  ...templatesOf('stream_events', 'created_ms', newest['created_ms'] ?? null),
  ...templatesOf('merchant_events', 'created_ms', newest['created_ms'] ?? null),
]
const setBalance = db.prepare('update balances set available = ? where user_reference_id = ? and currency_id = ?')
const setStream = db.prepare('update users set stream_seq = ? where user_reference_id = ?')
const setCounter = db.prepare("update counters set value = ? where name = 'merchant_events'")

function write(event: VerifiedEvent): void {
  const bare = event.uuid.replaceAll('-', '')
  for (const { insert, values } of templates) insert.run(...values(event, bare))
  setBalance.run('12.5', event.user, currency)
  setStream.run(numbers.get(event.user) ?? 0, event.user)
}

serveGroups((group) => {
  db.exec('begin immediate')
  group.forEach(write)
  setCounter.run(numbers.get('') ?? 0)
  db.exec('commit')
})
