/**
 * Machines for the test: network namespaces of this Linux machine, joined by a bridge, each with folders of its own.
 * The whole test runs in namespaces too, so its addresses and processes meet nobody else's, and all end with it.
 */
import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram } from '../../scripts/run-program.ts'

const INSIDE = 'CASHIER_FAILOVER_NAMESPACES'
const BRIDGE = 'br0'

const run = (command: string, ...args: readonly string[]): string => execFileSync(command, args, { encoding: 'utf8' })

export const isInNamespaces = (): boolean => process.env[INSIDE] === 'on'

/** Runs this program again, in namespaces of its own. Its first process is a shell, which takes in orphans. */
export function runInNamespaces(): Promise<number> {
  const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  return runProgram('unshare', [...namespaces, 'sh', '-c', '"$@"; exit $?', 'sh', ...again], { [INSIDE]: 'on' })
}

/** The network between the machines; this process has the address 10.0.0.1. */
export function openNetwork(): void {
  mkdirSync('/run/netns', { recursive: true })
  run('mount', '-t', 'tmpfs', 'netns', '/run/netns')
  run('ip', 'link', 'set', 'lo', 'up')
  run('ip', 'link', 'add', BRIDGE, 'type', 'bridge')
  run('ip', 'addr', 'add', '10.0.0.1/24', 'dev', BRIDGE)
  run('ip', 'link', 'set', BRIDGE, 'up')
}

export interface MachineProgram {
  readonly command: readonly string[]
  readonly user: 'postgres' | 'etcd'
  readonly env: Readonly<Record<string, string>>
}

export interface Machine {
  readonly name: string
  readonly address: string
  /** Where this process sees the folder of the machine. */
  readonly folder: (path: string) => string
  start(program: MachineProgram): void
  /** The process id of its PostgreSQL. @throws when none runs */
  postmaster(): number
  /** Sends a signal to every process of the machine. */
  signal(name: NodeJS.Signals): void
  /** Pulls the network cable, or plugs it in again. */
  connect(on: boolean): void
  /** Cuts the machine off from these addresses only, or restores the routes. */
  reach(addresses: readonly string[], on: boolean): void
}

/** @param own folders of which the machine sees its own copy @param folder for these and the log */
export function newMachine(
  name: string,
  address: string,
  own: Readonly<Record<string, MachineProgram['user']>>,
  folder: string,
): Machine {
  const cable = `to-${name}`
  run('ip', 'netns', 'add', name)
  run('ip', 'link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
  run('ip', 'link', 'set', cable, 'master', BRIDGE, 'up')
  run('ip', '-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
  for (const link of ['lo', 'eth0']) run('ip', '-n', name, 'link', 'set', link, 'up')
  const seenAs = (path: string): string => join(folder, name, path)
  for (const [path, user] of Object.entries(own)) {
    mkdirSync(seenAs(path), { recursive: true })
    run('chown', `${user}:`, seenAs(path))
  }
  const mounts = Object.keys(own).map((path) => `mkdir -p ${path} && mount --bind ${seenAs(path)} ${path}`)
  const log = join(folder, `${name}.log`)
  return {
    name,
    address,
    folder: seenAs,
    start({ command, user, env }) {
      const as = ['setpriv', '--reuid', user, '--regid', user, '--clear-groups', ...command]
      const inside = ['sh', '-c', `${mounts.join(' && ')} && exec "$@"`, 'sh', ...as]
      const out = openSync(log, 'a')
      spawn('ip', ['netns', 'exec', name, ...inside], {
        stdio: ['ignore', out, out],
        env: { NODE_ENV: 'test', ...env },
        cwd: '/',
      }).on('exit', (code, signal) => {
        appendFileSync(log, `${command[0] ?? ''} ended with ${String(code ?? signal)}\n`)
      })
      closeSync(out)
    },
    postmaster: () => Number(readFileSync(seenAs('/var/lib/postgresql/cashier/postmaster.pid'), 'utf8').split('\n')[0]),
    signal(signal) {
      const pids = run('ip', 'netns', 'pids', name).split('\n').filter(Boolean).map(Number)
      for (const pid of pids)
        try {
          process.kill(pid, signal)
        } catch {
          // It has ended meanwhile.
        }
    },
    connect(on) {
      run('ip', 'link', 'set', cable, on ? 'up' : 'down')
    },
    reach(addresses, on) {
      for (const to of addresses) run('ip', '-n', name, 'route', on ? 'del' : 'add', 'blackhole', `${to}/32`)
    },
  }
}
