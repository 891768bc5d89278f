/** A world on SQLite in memory: one connection, which all machines share. */
import { CompiledQuery } from 'kysely'
import { lostRowsOf, openStore, type Store } from './instance.ts'
import { callingMachine, type Machine } from './machine.ts'
import { machineStore } from './machine-store.ts'
import type { Settings } from './plan.ts'
import {
  BusyCounter,
  ChangeNotice,
  inFixedOrder,
  machineParts,
  nextTurn,
  rowsOf,
  turnsOf,
  type CallOrder,
  type Upkeep,
  type WorldDatabase,
} from './world-database.ts'

/** Several instances share one SQLite connection here, so each must consider the others, as on PostgreSQL. */
const asOneOfSeveral = (store: Store): Store => ({
  ...store,
  database: { ...store.database, flavour: 'postgres', pool: null },
  // SQLite's version does not change with a commit of the same connection.
  events: { ...store.events, foreignVersion: () => Promise.resolve(null) },
})

const TABLES = "select name from sqlite_master where type = 'table'"

const run = (store: Store, statement: string): Promise<unknown> =>
  store.database.db.executeQuery(CompiledQuery.raw(statement))

const eachTable = (store: Store, statements: (table: string) => readonly string[]): Promise<void> =>
  store.database.db.transaction().execute(async (tx) => {
    const { rows } = await tx.executeQuery<{ name: string }>(CompiledQuery.raw(TABLES))
    for (const { name } of rows)
      for (const statement of statements(name)) await tx.executeQuery(CompiledQuery.raw(statement))
  })

/** Puts the tables of an attached database in place of the main ones. */
async function putBack(store: Store, from: (table: string) => string): Promise<void> {
  await run(store, 'pragma foreign_keys = off')
  await eachTable(store, (table) => [
    `delete from main."${table}"`,
    `insert into main."${table}" select * from ${from(table)}`,
  ])
  await run(store, 'pragma foreign_keys = on')
}

/** Backups lie in a second database in memory, on the same connection. */
function upkeepOf(real: Store, inTurn: <T>(work: () => Promise<T>) => Promise<T>): Upkeep {
  let isAttached = false
  return {
    backUp: () =>
      inTurn(async () => {
        if (!isAttached) await run(real, "attach ':memory:' as backup")
        isAttached = true
        await eachTable(real, (table) => [
          `drop table if exists backup."of ${table}"`,
          `create table backup."of ${table}" as select * from main."${table}"`,
        ])
      }),
    restore: () => inTurn(() => putBack(real, (table) => `backup."of ${table}"`)),
    command: (work) => inTurn(() => work(real)),
  }
}

export interface SqliteWorld extends WorldDatabase {
  /** Writes the database into a new file. */
  saveTo(file: string): Promise<void>
  /** Puts the content of a file in place of the database. */
  loadFrom(file: string): Promise<void>
}

export async function openSqliteWorld(
  { machines, deliveries }: Settings,
  order: CallOrder = 'concurrent',
): Promise<SqliteWorld> {
  let committing: Machine | null = null
  let rightNow = (): number => 0
  const memory = await openStore({
    url: 'file::memory:',
    clock: () => callingMachine()?.now() ?? rightNow(),
    databaseClock: () => rightNow(),
    deliver: deliveries,
  })
  const shared = machines > 1 || order === 'one by one' ? asOneOfSeveral(memory) : memory
  const real = order === 'one by one' ? inFixedOrder(shared) : shared
  const turns = turnsOf(order)
  const counter = new BusyCounter(order)
  const isSerial = order === 'one by one'
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => (isSerial ? counter.during(() => turns.take(work)) : work())
  return {
    rows: (query) => rowsOf(memory, query),
    lostRows: () => lostRowsOf(memory, 'sqlite'),
    tables: async () => (await rowsOf(memory, TABLES)).map(({ name }) => String(name)),
    upkeep: upkeepOf(memory, inTurn),
    move: null,
    trouble: null,
    async storeFor(machine, rules) {
      // On PostgreSQL it takes time to connect.
      await inTurn(() => Promise.resolve())
      rightNow = () => machine.rightNow()
      const notice = new ChangeNotice()
      real.onChange(() => {
        if (callingMachine() !== machine || !machine.alive) return
        notice.note()
        if (!isSerial) notice.afterCall()
      })
      const enterCall = <T>(work: () => Promise<T>): Promise<T> =>
        isSerial ? turns.take(() => work().finally(notice.afterCall)) : work()
      const enter = <T>(work: () => Promise<T>): Promise<T> =>
        turns.take(async () => {
          committing = machine
          try {
            return await work()
          } finally {
            committing = null
            notice.afterCall()
          }
        })
      const own = (self: () => Store): Partial<Store> => ({
        ...machineParts(real, self),
        database: real.database,
        onCommit: (listener) =>
          real.onCommit((users) => {
            if (committing === machine && machine.alive) listener(users)
          }),
        onChange: notice.on,
      })
      const counts = { busy: counter.count, frozen: counter.countFrozen }
      return machineStore(real, { ...rules, ...counts, machine, enterCall }, enter, own)
    },
    settled: () => (isSerial ? counter.settled() : nextTurn()),
    async saveTo(file) {
      await run(memory, `vacuum into '${file}'`)
    },
    async loadFrom(file) {
      await run(memory, `attach '${file}' as loaded`)
      await putBack(memory, (table) => `loaded."${table}"`)
      await run(memory, 'detach loaded')
    },
    close: () => memory.close(),
  }
}
