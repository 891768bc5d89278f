/** PostgreSQL on three machines under Patroni and etcd, behind HAProxy, with the files in ops/. */
import { execFile, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv, promisify } from 'node:util'
import pg from 'pg'
import { z } from 'zod'
import { newMachine, openNetwork, type Machine } from './machines.ts'

const FIRST = { name: 'pg1', address: '10.0.0.11' }
const NODES = [FIRST, { name: 'pg2', address: '10.0.0.12' }, { name: 'pg3', address: '10.0.0.13' }]
const OWN_FOLDERS = {
  '/var/lib/postgresql': 'postgres',
  '/run/postgresql': 'postgres',
  '/var/lib/etcd': 'etcd',
} as const
const PROXY = 'postgres://postgres:CHANGE-ME-1@127.0.0.1:5432'
const FOLLOWERS = 2
const PATH = '/usr/sbin:/usr/bin:/sbin:/bin'

const clusterView = z.object({
  members: z.array(z.object({ name: z.string(), role: z.string(), state: z.string(), lag: z.unknown().optional() })),
})
type Member = z.infer<typeof clusterView>['members'][number]

export interface Cluster {
  /** For `DATABASE_URL`: the way through HAProxy. */
  readonly databaseUrl: string
  readonly machines: readonly Machine[]
  primary(): Promise<Machine>
  /** Resolves when there are a primary and two standbys that follow it. @throws after `withinMs` */
  whole(withinMs: number): Promise<void>
  /** Starts the programs of a machine whose processes have all ended. */
  boot(machine: Machine): void
  /** `patronictl switchover` to any standby that may take over. */
  switchover(): Promise<void>
}

/** The files in ops/ are of the first machine; what its comments call "this machine" is replaced. */
const patroniFile = ({ name, address }: Machine, synchronous: boolean): string =>
  readFileSync('ops/patroni/patroni.yml', 'utf8')
    .replace(/^.*# this machine$/gm, (line) => line.replace(FIRST.address, address).replace(FIRST.name, name))
    .replace(/^( *synchronous_mode\w*): true$/gm, (line, setting: string) => (synchronous ? line : `${setting}: false`))

const etcdVariables = ({ name, address }: Machine): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(parseEnv(readFileSync('ops/patroni/etcd.env', 'utf8'))).map(([variable, value = '']) => [
      variable,
      variable === 'ETCD_INITIAL_CLUSTER' ? value : value.replace(FIRST.address, address).replace(FIRST.name, name),
    ]),
  )

const followers = new Set(['streaming', 'running'])

export function isWhole(members: readonly Pick<Member, 'role' | 'state'>[], synchronous: boolean): boolean {
  const count = (role: string, states: ReadonlySet<string>): number =>
    members.filter((member) => member.role === role && states.has(member.state)).length
  const synced = count('sync_standby', followers)
  const standbys = synced + count('replica', followers)
  return count('leader', new Set(['running'])) === 1 && standbys === 2 && synced === (synchronous ? 1 : 0)
}

/** The leader that all views name; null when they differ or name none. */
export function leaderOf(views: readonly (readonly Pick<Member, 'name' | 'role'>[])[]): string | null {
  const named = new Set(views.map((view) => view.find(({ role }) => role === 'leader')?.name ?? null))
  const [leader = null] = named
  return named.size === 1 ? leader : null
}

export async function startCluster(folder: string, synchronous: boolean): Promise<Cluster> {
  openNetwork()
  const machines = NODES.map(({ name, address }) => newMachine(name, address, OWN_FOLDERS, folder))
  const fileOf = ({ name }: Machine): string => join(folder, `${name}.yml`)
  const boot = (machine: Machine): void => {
    machine.start({ command: ['etcd'], user: 'etcd', env: { PATH, ...etcdVariables(machine) } })
    writeFileSync(fileOf(machine), patroniFile(machine, synchronous))
    machine.start({
      command: ['patroni', fileOf(machine)],
      user: 'postgres',
      env: { PATH, HOME: '/var/lib/postgresql', LC_ALL: 'C.UTF-8' },
    })
  }

  /** What each machine that answers says of the cluster; one that was away may be wrong for a while. */
  const views = async (): Promise<readonly (readonly Member[])[]> => {
    const asked = machines.map(async ({ address }) => {
      const response = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(1500) })
      return clusterView.parse(await response.json()).members
    })
    return (await Promise.allSettled(asked)).flatMap((view) => (view.status === 'fulfilled' ? [view.value] : []))
  }
  const primary = async (): Promise<Machine> => {
    const leader = leaderOf(await views())
    const machine = machines.find(({ name }) => name === leader)
    if (machine === undefined) throw new Error('there is no primary')
    return machine
  }
  const whole = async (withinMs: number): Promise<void> => {
    const until = performance.now() + withinMs
    for (;;) {
      const now = await views()
      const agreed = now.length === machines.length && leaderOf(now) !== null
      // Patroni calls a standby running that has yet to be rewound; a fault meanwhile would be a second fault.
      if (agreed && now.every((view) => isWhole(view, synchronous)) && (await followersNow()) === FOLLOWERS) return
      if (performance.now() > until) throw new Error(`the cluster is not whole: ${JSON.stringify(now)}`)
      await sleep(300)
    }
  }

  for (const machine of machines) boot(machine)
  const proxyLog = openSync(join(folder, 'haproxy.log'), 'a')
  spawn('haproxy', ['-db', '-f', 'ops/haproxy/haproxy.cfg'], {
    stdio: ['ignore', proxyLog, proxyLog],
    env: { PATH, NODE_ENV: 'test' },
  })
  closeSync(proxyLog)
  await whole(90_000)
  const databaseUrl = await createDatabase()

  return {
    databaseUrl,
    machines,
    primary,
    whole,
    boot,
    async switchover() {
      const leader = await primary()
      await promisify(execFile)(
        'patronictl',
        ['-c', fileOf(leader), 'switchover', 'cashier', '--leader', leader.name, '--force'],
        {
          env: { PATH, LC_ALL: 'C.UTF-8', NODE_ENV: 'test' },
        },
      )
    },
  }
}

/** How many standbys the primary streams to; 0 when it does not answer. */
async function followersNow(): Promise<number> {
  const client = new pg.Client({ connectionString: `${PROXY}/postgres`, query_timeout: 2000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ name: string }>(
      `select application_name as name from pg_stat_replication where state = 'streaming' and application_name like 'pg_'`,
    )
    return rows.length
  } catch {
    return 0
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function createDatabase(): Promise<string> {
  const until = performance.now() + 20_000
  for (;;) {
    const client = new pg.Client({ connectionString: `${PROXY}/postgres` })
    // The proxy may close it before it knows the primary.
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.query(`create role cashier login password 'cashier'`)
      await client.query('create database cashier owner cashier')
      return PROXY.replace('postgres:CHANGE-ME-1', 'cashier:cashier') + '/cashier'
    } catch (error) {
      if (performance.now() > until) throw error
      await sleep(500)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}
