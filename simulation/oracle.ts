/**
 * What must be true when the world has come to rest. The oracle compares the cashier's answers with the truth in the
 * models. It has its own rules and shares no code with the cashier's ledger.
 */
import { OUR_MERCHANT } from './model-gateway.ts'
import { feedOf, untilEnded, withdrawalsOf } from './ask.ts'
import { isNamed, observe, payoutsOf, quarantineOf, type Observations } from './observations.ts'
import { checkTold, entityOf } from './oracle-messages.ts'
import { checkMoney } from './oracle-money.ts'
import { checkWithdrawals, groupsOf } from './oracle-withdrawals.ts'
import { checkWaits } from './oracle-waits.ts'
import { endAll } from './model-person.ts'
import type { Scene } from './scene.ts'

/** Half an hour after the last fault, everything that needs no person has advanced. */
export async function checkCalm(scene: Scene): Promise<string[]> {
  const { world, users } = scene
  const faults: string[] = []
  // Nobody reads the list of a user who was erased and did not come back.
  const isGone = (user: string): boolean =>
    world.erased.has(user) && !users.some(({ name, isKnown }) => name === user && isKnown)
  const feed = await feedOf(world)
  const open = new Set<string>()
  for (const { data } of feed) {
    const uuid = String(data['transaction_uuid'])
    if (data['kind'] !== 'deposit') continue
    if (data['status'] === 'succeeded' || data['status'] === 'failed') open.delete(uuid)
    else open.add(uuid)
  }
  const quarantine = await quarantineOf(world)
  for (const one of world.gateway.movements) {
    const ended = one.status === 'succeeded' || one.status === 'failed'
    if (
      ended &&
      one.merchant === OUR_MERCHANT &&
      open.has(one.uuid) &&
      !isGone(one.user) &&
      !isNamed({ quarantine }, one.uuid)
    )
      faults.push(`rest: the deposit ${one.uuid} has ended at the gateway, but is still open half an hour later`)
  }
  for (const { key, rows, payouts } of groupsOf(scene, {
    withdrawals: await withdrawalsOf(world),
    payouts: await payoutsOf(world),
  }))
    if (payouts.length === 0 && rows.some(({ status }) => status === 'processing'))
      faults.push(`rest: ${key} never reached the gateway, and half an hour later no person is asked about it`)
  const { merchant, plan } = world
  const entities = new Set<string>()
  for (const event of plan.settings.deliveries && world.lost === null ? feed : []) {
    const entity = entityOf(event)
    // An event whose delivery keeps failing delays only its own transaction.
    if (!entities.has(entity) && !merchant.attempted.has(event.cursor))
      faults.push(`rest: nobody tried to deliver ${event.cursor} of ${entity} for half an hour`)
    entities.add(entity)
  }
  return faults
}

/** Nothing waits without a reason. */
async function checkRest({ world, operator, users }: Scene, seen: Observations): Promise<string[]> {
  const faults: string[] = []
  const known = new Set<string | null>(users.filter(({ isKnown }) => isKnown).map(({ name }) => name))
  for (const { id, reason, settled_at, user } of seen.quarantine)
    if (settled_at === null && (reason === 'unknown_currency' || (reason === 'unknown_user' && known.has(user))))
      faults.push(`rest: quarantine ${id} waits for ${reason}, but that reason no longer exists`)
  if (operator.openAdjustments > 0) faults.push('rest: an adjustment never got an answer')
  if (world.webhooks.open > 0) faults.push(`rest: ${world.webhooks.open} webhooks never got the answer 200`)
  const behind = await world.database.rows("select status, transaction_uuid from transactions where kind = 'onramp'")
  for (const { transaction_uuid, status } of behind) {
    const uuid = String(transaction_uuid)
    const taken = world.webhooks.answered.some(
      (one) => one.uuid === uuid && one.status === 'succeeded' && !world.isLost(one.atMs),
    )
    const kept = seen.quarantine.some((one) => one.uuid === uuid && one.status === 'succeeded')
    if (taken && !kept && status !== 'succeeded')
      faults.push(`rest: the purchase ${uuid} succeeded, but stays ${String(status)}`)
  }
  return faults
}

/** A day later, when every time limit has passed. Then a person ends what waits for one, and nothing is open. */
export async function checkEnd(scene: Scene): Promise<string[]> {
  const faults = await checkBooks(scene)
  if (faults.length > 0) return faults
  const left = await endAll(scene)
  return left.length > 0 ? left.map((line) => `person: ${line}`) : checkBooks(scene)
}

async function checkBooks(scene: Scene): Promise<string[]> {
  await untilEnded(scene.world, scene.operator.readFeed(7))
  const seen = await observe(scene)
  return [
    ...(await checkMoney(scene, seen)),
    ...checkWithdrawals(scene, seen),
    ...checkWaits(scene, seen),
    ...checkTold(scene, seen),
    ...(await checkRest(scene, seen)),
    ...(await scene.world.database.lostRows()).map((fault) => `backup: ${fault}`),
  ]
}
