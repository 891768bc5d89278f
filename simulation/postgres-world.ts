/** A world on a separate PostgreSQL database. Each machine has its own connections, through a proxy that troubles them. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { lostRowsOf, openStore, startTcpProxy, type Store, type TcpProxy } from './instance.ts'
import { callingMachine, outsideOfMachines, type Machine } from './machine.ts'
import { machineStore, transactionOutside } from './machine-store.ts'
import type { Settings } from './plan.ts'
import {
  BusyCounter,
  ChangeNotice,
  inFixedOrder,
  machineParts,
  rowsOf,
  turnsOf,
  type CallOrder,
  type Upkeep,
  type WorldDatabase,
} from './world-database.ts'

async function ask(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

const withDatabase = (server: string, name: string): string => {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

const newName = (): string => `sim_${randomBytes(8).toString('hex')}`

let template: Promise<string> | null = null

/** An empty database with all tables, created once per worker. */
async function templateOf(server: string): Promise<string> {
  template ??= (async () => {
    const name = newName()
    await ask(server, `create database ${name}`)
    const store = await openStore({ url: withDatabase(server, name), clock: Date.now, deliver: false })
    await store.close()
    return name
  })()
  return template
}

const TABLES = "select tablename as name from pg_tables where schemaname = 'public'"
const SEQUENCES = "select sequencename as name, last_value from pg_sequences where schemaname = 'public'"

/** Backups lie in a schema of their own. */
function backupsOf(url: string, tables: () => Promise<readonly string[]>): Pick<Upkeep, 'backUp' | 'restore'> {
  return {
    async backUp() {
      await ask(
        url,
        'begin isolation level repeatable read',
        'drop schema if exists backup cascade',
        'create schema backup',
        ...(await tables()).map((table) => `create table backup."${table}" as select * from public."${table}"`),
        `create table backup.sequences as ${SEQUENCES}`,
        'commit',
      )
    },
    async restore() {
      const each = (await tables()).flatMap((table) => [
        `delete from public."${table}"`,
        `insert into public."${table}" overriding system value select * from backup."${table}"`,
      ])
      await ask(
        url,
        // No foreign key is checked.
        'set session_replication_role = replica',
        'begin',
        ...each,
        "select setval(('public.' || name)::regclass, coalesce(last_value, 1), last_value is not null) from backup.sequences",
        'commit',
      )
    },
  }
}

export interface PostgresWorld extends WorldDatabase {
  readonly url: string
}

export interface PostgresWorldOptions {
  readonly order?: CallOrder
  /** Without the tables, as for a copy. */
  readonly empty?: boolean
}

/** `server` is the URL of a superuser. */
export async function openPostgresWorld(
  server: string,
  { deliveries }: Settings,
  { order = 'concurrent', empty = false }: PostgresWorldOptions = {},
): Promise<PostgresWorld> {
  const name = newName()
  await ask(server, `create database ${name}${empty ? '' : ` template ${await templateOf(server)}`}`)
  const url = withDatabase(server, name)
  const open: Store[] = []
  const proxies = new Map<Machine, TcpProxy>()
  const counter = new BusyCounter(order)
  const turns = turnsOf(order)
  const isSerial = order === 'one by one'
  let rightNow: () => number = Date.now
  let reading: Promise<Store> | null = null
  const openFor = async (at: string, clock: () => number, databaseClock: () => number): Promise<Store> => {
    const store = await openStore({ url: at, clock, databaseClock, deliver: deliveries })
    open.push(store)
    return store
  }
  /** For what does not come from a machine. */
  const reader = (): Promise<Store> =>
    (reading ??= openFor(
      url,
      () => rightNow(),
      () => rightNow(),
    ))
  const rows = async (query: string) => rowsOf(await reader(), query)
  const tables = async (): Promise<readonly string[]> => (await rows(TABLES)).map((row) => String(row['name']))
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => counter.during(() => (isSerial ? turns.take(work) : work()))
  const { backUp, restore } = backupsOf(url, tables)
  return {
    url,
    upkeep: {
      backUp: () => inTurn(backUp),
      restore: () => inTurn(restore),
      command: (work) => inTurn(async () => work(await reader())),
    },
    move: null,
    trouble: isSerial ? null : (machine, planned) => proxies.get(machine)?.plan(planned),
    // The gateway model reads tables while the world runs. No virtual time passes meanwhile.
    rows: (query) => counter.during(() => rows(query)),
    lostRows: () => counter.during(async () => lostRowsOf(await reader(), 'postgres')),
    tables,
    async storeFor(machine, rules) {
      rightNow = () => machine.rightNow()
      const opened = await inTurn(() =>
        outsideOfMachines(async () => {
          const proxy = isSerial ? null : await startTcpProxy(url)
          if (proxy !== null) proxies.set(machine, proxy)
          return openFor(
            proxy?.url ?? url,
            () => machine.now(),
            () => machine.rightNow(),
          )
        }),
      )
      const real: Store = {
        ...(isSerial ? inFixedOrder(opened) : opened),
        transaction: (work) => opened.transaction((tx) => work(transactionOutside(tx))),
      }
      const notice = new ChangeNotice()
      real.onChange(() => {
        if (!machine.alive || (isSerial && callingMachine() !== machine)) return
        notice.note()
        if (!isSerial) notice.afterCall()
      })
      const enterCall = <T>(work: () => Promise<T>): Promise<T> =>
        isSerial ? turns.take(() => work().finally(notice.afterCall)) : work()
      const enter = <T>(work: () => Promise<T>): Promise<T> =>
        isSerial
          ? turns.take(async () => {
              try {
                return await work()
              } finally {
                // As on SQLite, events have their numbers when the turn is over.
                await real.events.number()
                notice.afterCall()
              }
            })
          : work()
      const own = (self: () => Store): Partial<Store> => ({
        ...machineParts(real, self),
        database: real.database,
        onCommit: (listener) =>
          real.onCommit((users) => {
            if (machine.alive) listener(users)
          }),
        onChange: notice.on,
      })
      const counts = { busy: counter.count, frozen: counter.countFrozen }
      return machineStore(real, { ...rules, ...counts, machine, enterCall }, enter, own)
    },
    settled: () => counter.settled(),
    async close() {
      // A connection that a trouble holds would delay the end of its pool.
      await Promise.all([...proxies.values()].map((proxy) => proxy.stop()))
      await Promise.all(open.map((store) => store.close()))
      await ask(server, `drop database ${name} with (force)`)
    },
  }
}
