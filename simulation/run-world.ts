/** Runs one world from its plan: first all events, then rest, then the oracle. */
import { GatewayLife } from './gateway-life.ts'
import { ModelOperator } from './model-operator.ts'
import { ModelUser } from './model-user.ts'
import { checkCalm, checkEnd } from './oracle.ts'
import { transactionsIn, type Action, type Plan } from './plan.ts'
import type { Scene } from './scene.ts'
import { REST_FIRST, restBeyond } from './rest.ts'
import { isMaintenance, Maintenance } from './maintenance.ts'
import { World, type WorldOptions } from './world.ts'
import { BEGINNING_MS } from './virtual-clock.ts'
import { openCopyingWorld } from './copying-world.ts'
import { openPostgresWorld } from './postgres-world.ts'
import { openSqliteWorld } from './sqlite-world.ts'
import { tableDumps, type TableDumps } from './table-dumps.ts'
import type { CallOrder, WorldDatabase } from './world-database.ts'

export interface RunOptions {
  readonly plan: Plan
  /** URL of a PostgreSQL superuser; null for SQLite. */
  readonly postgres: string | null
  readonly without?: ReadonlySet<string>
  readonly bug?: WorldOptions['bug']
  readonly onNote?: WorldOptions['onNote']
  readonly order?: CallOrder
}

export interface RunResult {
  readonly violations: readonly string[]
  readonly transactions: number
  /** Names of the faults that happened in this run. */
  readonly faults: readonly string[]
  /** With calls one by one: the tables at the end, and after retention. */
  readonly tables: readonly TableDumps[]
}

function perform(scene: Scene, action: Action): Promise<void> | void {
  const { world, life, users, operator, maintenance } = scene
  const chance = world.faults.details(action.id)
  if (isMaintenance(action)) return maintenance.take(action)
  if ('user' in action && action.kind !== 'adjustment') {
    const user = users[action.user]
    if (user === undefined) return
    if (action.kind === 'session') return void user.session()
    if (action.kind === 'stream') return user.watch(action.readings)
    if (action.kind === 'withdrawal') return user.withdraw(action)
    if (action.kind === 'purchase') return user.buy(action)
    if (world.faults.happens('payout_unasked', action.id))
      life.unasked(action.id, action.user, action.currency, action.units)
    return life.deposit(action)
  }
  switch (action.kind) {
    case 'adjustment':
      return operator.adjust(action)
    case 'operator':
      return operator.act(action.id)
    case 'feed':
      return operator.readFeed(chance.pick([1, 2, 7, 100]))
    case 'crash':
      if (world.faults.happens('crash', action.id)) world.machines.crash(action.machine, action.steps, action.downMs)
      return
    case 'freeze':
      if (world.faults.happens('freeze', action.id)) world.machines.freeze(action.machine, action.steps, action.forMs)
      return
    case 'store_away': {
      const machine = world.machines.machineAt(action.machine)
      if (machine !== null && world.faults.happens('store_away', action.id))
        machine.storeAwayUntilMs = world.clock.now() + action.forMs
      return
    }
    case 'store_cut': {
      const machine = world.machines.machineAt(action.machine)
      const { trouble } = world.database
      if (machine !== null && trouble !== null && world.faults.happens('store_cut', action.id))
        trouble(machine, action.trouble)
      return
    }
    case 'quiet_hours':
      return
    case 'gateway_away':
      if (world.faults.happens('gateway_away', action.id)) world.gatewayNetwork.away(action.forMs, action.refuses)
      return
  }
}

/** Longer than anything is kept that retention deletes. */
const KEPT_MS = 100 * 86_400_000

function openDatabase({ settings }: Plan, postgres: string | null, order: CallOrder): Promise<WorldDatabase> {
  if (postgres === null) return openSqliteWorld(settings, order)
  const isCopied = settings.maintenance === 'copied' || settings.maintenance === 'copied in vain'
  return isCopied ? openCopyingWorld(postgres, settings) : openPostgresWorld(postgres, settings, { order })
}

/** Runs the plan, and returns the oracle's findings. */
export async function runWorld({
  plan,
  postgres,
  without = new Set(),
  bug = null,
  onNote = null,
  order = 'concurrent',
}: RunOptions): Promise<RunResult> {
  const { settings } = plan
  const database = await openDatabase(plan, postgres, order)
  try {
    const world = new World({ plan, database, without, bug, onNote })
    const users = Array.from({ length: plan.users }, (_item, index) => new ModelUser(world, index))
    const operator = new ModelOperator(world)
    const maintenance = new Maintenance(world, users, operator)
    const scene: Scene = { world, life: new GatewayLife(world), users, operator, maintenance }
    await world.machines.startAll()
    let quietMs = 0
    for (const action of plan.actions) {
      await world.stayAwake(BEGINNING_MS + 1000 + quietMs + action.atMs)
      world.note(`— ${action.id}`)
      if (action.kind !== 'quiet_hours') void perform(scene, action)
      else if (world.faults.happens('quiet_hours', action.id)) {
        quietMs += action.forMs
        // Running work ends first; after that the machines are idle.
        for (const ms of [60_000, 60_000, 600_000, action.forMs - 720_000]) await world.clock.sleep(ms)
      }
    }
    await world.rest([2000, 8000, 20_000])
    await world.calm()
    world.note('faults are over')
    await world.rest(REST_FIRST)
    await operator.decideAll()
    await world.rest([60_000])
    const violations = [...world.violations, ...(await checkCalm(scene))]
    if (violations.length === 0) {
      await world.rest(restBeyond(settings.absenceS))
      violations.push(...(await checkEnd(scene)))
    }
    const tables: TableDumps[] = []
    if (order === 'one by one') {
      tables.push(await tableDumps(database))
      await world.rest([KEPT_MS, 3_600_000, 60_000])
      tables.push(await tableDumps(database))
    }
    return { violations, transactions: transactionsIn(plan), faults: [...world.faults.happened], tables }
  } finally {
    await database.close()
  }
}
