/**
 * `npm run test:ha -- --rounds N --seed S [--faults kill,cut] [--asynchronous]`, after `npm run build`: three cashiers on
 * a highly available PostgreSQL under load, a fault of the primary in each round, and an oracle that judges the end.
 * Needs Linux, root, and Debian's packages.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installPackages, isCommand } from '../../scripts/debian-packages.ts'
import { isInNamespaces, runInNamespaces } from './machines.ts'
import { FAULT_NAMES, planRounds, type FaultName } from './plan.ts'
import { runAsynchronous } from './asynchronous.ts'
import { runSynchronous } from './synchronous.ts'

const PACKAGES = {
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  pg_ctlcluster: 'postgresql-15',
  ip: 'iproute2',
  unshare: 'util-linux',
} as const
const DOWNLOAD_S = 300
/** How many faults of a clause are printed. */
const EXAMPLES = 5

const { values } = parseArgs({
  options: {
    rounds: { type: 'string' },
    seed: { type: 'string', default: '1' },
    faults: { type: 'string', default: FAULT_NAMES.join(',') },
    asynchronous: { type: 'boolean', default: false },
    /** Keeps the folder with the logs. */
    keep: { type: 'boolean', default: false },
  },
})

const isFault = (name: string): name is FaultName => FAULT_NAMES.some((fault) => fault === name)
const faults = values.faults.split(',').map((name) => {
  if (isFault(name)) return name
  throw new Error(`there is no fault ${name}: ${FAULT_NAMES.join(', ')}`)
})
const rounds = Number(values.rounds ?? (values.asynchronous ? 3 : 20))
if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number above 0')

async function outside(): Promise<number> {
  const absent = Object.entries(PACKAGES).filter(([command]) => !isCommand(command))
  if (absent.length > 0) await installPackages([...absent.map(([, name]) => name), 'python3-etcd'], DOWNLOAD_S)
  const missing = absent.filter(([command]) => !isCommand(command))
  if (missing.length === 0 && process.getuid?.() === 0) return runInNamespaces()
  console.error(`This test needs root and the commands ${missing.map(([command]) => command).join(', ')}.`)
  return 1
}

async function inside(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-failover-'))
  chmodSync(folder, 0o755)
  const planned = planRounds(values.seed, rounds, faults)
  const run = values.asynchronous ? runAsynchronous(folder, rounds) : runSynchronous(folder, planned)
  const { found } = await run
  for (const [clause, lines] of Map.groupBy(found, (line) => line.split(': ')[0] ?? '')) {
    for (const line of lines.slice(0, EXAMPLES)) console.log(line)
    if (lines.length > EXAMPLES) console.log(`${clause}: and ${lines.length - EXAMPLES} more`)
  }
  console.log(found.length === 0 ? 'The oracle found no fault.' : `The oracle found ${found.length} faults.`)
  if (found.length > 0 || values.keep) console.log(`Logs: ${folder}`)
  else rmSync(folder, { recursive: true, force: true })
  return found.length === 0 ? 0 : 1
}

process.exit(await (isInNamespaces() ? inside() : outside()))
