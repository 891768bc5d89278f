/** The database of one world: SQLite in memory that all machines share, or a separate PostgreSQL database. */
import { randomBytes } from 'node:crypto'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { listApplier, openStore, type Store } from './instance.ts'
import { callingMachine, outsideOfMachines, type Machine } from './machine.ts'
import { machineStore, Turns, type CallRules } from './machine-store.ts'
import type { Settings } from './plan.ts'

export interface Upkeep {
  /** Keeps a copy of the whole database, as a backup does. */
  backUp(): Promise<void>
  /** Puts the last backup in place of the database. */
  restore(): Promise<void>
  /** Runs a command of the cashier's scripts. */
  command<T>(work: (store: Store) => Promise<T>): Promise<T>
}

export interface WorldDatabase {
  /** The store of one machine. A crash of the machine ends the store at any point. */
  storeFor(machine: Machine, before: CallRules['before']): Promise<Store>
  /** What a person does with the database while no instance runs; null where the world cannot. */
  readonly upkeep: Upkeep | null
  /** Reads tables directly. */
  rows(query: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Resolves when every running call waits for time or for the network. */
  settled(): Promise<void>
  close(): Promise<void>
}

const nextTurn = (
  (real) => (): Promise<void> =>
    new Promise((resolve) => void real(resolve))
)(setImmediate)

const rowsOf = async (store: Store, query: string): Promise<readonly Readonly<Record<string, unknown>>[]> =>
  (await store.database.db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(query))).rows

/** The store's own transactions run as transactions of the machine. */
const machineParts = (real: Store, self: () => Store): Partial<Store> => ({
  lane: () => self(),
  faultOf: (error) => real.faultOf(error),
  unitOfWork: (keys, fold) =>
    self().transaction(async (tx) => {
      const unit = await tx.load(keys)
      const result = fold(unit)
      await tx.save(unit)
      return result
    }),
  applyRecords: (...list) => listApplier(self())(...list),
})

/** Several instances share one SQLite connection here, so each must consider the others, as on PostgreSQL. */
const asOneOfSeveral = (store: Store): Partial<Store> => ({
  database: { ...store.database, flavour: 'postgres', pool: null },
})

const TABLES = "select name from sqlite_master where type = 'table'"

/** Backups lie in a second database in memory, on the same connection. */
function upkeepOf(real: Store): Upkeep {
  const { db } = real.database
  const run = (statement: string) => db.executeQuery(CompiledQuery.raw(statement))
  let isAttached = false
  const eachTable = (statements: (table: string) => readonly string[]): Promise<void> =>
    db.transaction().execute(async (tx) => {
      const { rows } = await tx.executeQuery<{ name: string }>(CompiledQuery.raw(TABLES))
      for (const { name } of rows)
        for (const statement of statements(name)) await tx.executeQuery(CompiledQuery.raw(statement))
    })
  return {
    async backUp() {
      if (!isAttached) await run("attach ':memory:' as backup")
      isAttached = true
      await eachTable((table) => [
        `drop table if exists backup."of ${table}"`,
        `create table backup."of ${table}" as select * from main."${table}"`,
      ])
    },
    async restore() {
      await run('pragma foreign_keys = off')
      await eachTable((table) => [
        `delete from main."${table}"`,
        `insert into main."${table}" select * from backup."of ${table}"`,
      ])
      await run('pragma foreign_keys = on')
    },
    command: (work) => work(real),
  }
}

export async function openSqliteWorld({ machines, deliveries }: Settings): Promise<WorldDatabase> {
  let committing: Machine | null = null
  let rightNow = (): number => 0
  const real = await openStore({
    url: 'file::memory:',
    clock: () => callingMachine()?.now() ?? rightNow(),
    databaseClock: () => rightNow(),
    deliver: deliveries,
  })
  const turns = new Turns()
  return {
    rows: (query) => rowsOf(real, query),
    upkeep: upkeepOf(real),
    async storeFor(machine, before) {
      rightNow = () => machine.rightNow()
      const enter = <T>(work: () => Promise<T>): Promise<T> =>
        turns.take(async () => {
          committing = machine
          try {
            return await work()
          } finally {
            committing = null
          }
        })
      const own = (self: () => Store): Partial<Store> => ({
        ...machineParts(real, self),
        ...(machines > 1 ? asOneOfSeveral(real) : { database: real.database }),
        onCommit: (listener) =>
          real.onCommit((users) => {
            if (committing === machine && machine.alive) listener(users)
          }),
        onChange: (listener) =>
          real.onChange(() => {
            if (callingMachine() === machine && machine.alive) listener()
          }),
        listen: () => ({ stop: () => Promise.resolve() }),
      })
      return machineStore(real, { machine, before, busy: () => undefined }, enter, own)
    },
    settled: nextTurn,
    close: () => real.close(),
  }
}

async function ask(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

const withDatabase = (server: string, name: string): string => {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

let template: Promise<string> | null = null

/** An empty database with all tables, created once per worker. */
async function templateOf(server: string): Promise<string> {
  template ??= (async () => {
    const name = `sim_${randomBytes(8).toString('hex')}`
    await ask(server, `create database ${name}`)
    const store = await openStore({ url: withDatabase(server, name), clock: Date.now, deliver: false })
    await store.close()
    return name
  })()
  return template
}

/** `server` is the URL of a superuser. */
export async function openPostgresWorld(server: string, { deliveries }: Settings): Promise<WorldDatabase> {
  const from = await templateOf(server)
  const name = `sim_${randomBytes(8).toString('hex')}`
  await ask(server, `create database ${name} template ${from}`)
  const url = withDatabase(server, name)
  const open: Store[] = []
  const counter = { busy: 0, idle: (): void => undefined }
  const busy = (change: 1 | -1): void => {
    counter.busy += change
    if (counter.busy === 0) counter.idle()
  }
  const openFor = async (clock: () => number, databaseClock: () => number): Promise<Store> => {
    const store = await openStore({ url, clock, databaseClock, deliver: deliveries })
    open.push(store)
    return store
  }
  const reader = await openFor(Date.now, Date.now)
  return {
    upkeep: null,
    rows(query) {
      // The gateway model reads tables while the world runs. No virtual time passes meanwhile.
      busy(1)
      return rowsOf(reader, query).finally(() => busy(-1))
    },
    async storeFor(machine, before) {
      busy(1)
      const real = await outsideOfMachines(() =>
        openFor(
          () => machine.now(),
          () => machine.rightNow(),
        ),
      ).finally(() => busy(-1))
      const own = (self: () => Store): Partial<Store> => ({
        ...machineParts(real, self),
        database: real.database,
        onCommit: (listener) =>
          real.onCommit((users) => {
            if (machine.alive) listener(users)
          }),
        onChange: (listener) =>
          real.onChange(() => {
            if (machine.alive) listener()
          }),
        listen: () => ({ stop: () => Promise.resolve() }),
      })
      return machineStore(real, { machine, before, busy }, (work) => work(), own)
    },
    async settled() {
      await nextTurn()
      while (counter.busy > 0) {
        await new Promise<void>((resolve) => {
          counter.idle = resolve
        })
        await nextTurn()
      }
    },
    async close() {
      await Promise.all(open.map((store) => store.close()))
      await ask(server, `drop database ${name} with (force)`)
    },
  }
}
