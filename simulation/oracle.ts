/**
 * What must hold when the world has come to rest. It compares what the cashier says with what the models know to be
 * true, by rules of its own: it shares no code with the cashier's ledger.
 */
import { OUR_MERCHANT } from './model-gateway.ts'
import { feedOf, untilEnded, withdrawalsOf } from './ask.ts'
import { observe, type Observations } from './observations.ts'
import { checkTold, entityOf } from './oracle-messages.ts'
import { checkMoney } from './oracle-money.ts'
import { checkWithdrawals, groupsOf } from './oracle-withdrawals.ts'
import type { Scene } from './scene.ts'

/** Half an hour after the last fault: whatever can go on without a person has gone on. */
export async function checkCalm(scene: Scene): Promise<string[]> {
  const { world } = scene
  const faults: string[] = []
  const feed = await feedOf(world)
  const open = new Set<string>()
  for (const { data } of feed) {
    const uuid = String(data['transaction_uuid'])
    if (data['kind'] !== 'deposit') continue
    if (data['status'] === 'succeeded' || data['status'] === 'failed') open.delete(uuid)
    else open.add(uuid)
  }
  for (const one of world.gateway.movements) {
    const ended = one.status === 'succeeded' || one.status === 'failed'
    if (ended && one.merchant === OUR_MERCHANT && open.has(one.uuid) && !scene.life.truth.contradicted.has(one.uuid))
      faults.push(`rest: the deposit ${one.uuid} has ended at the gateway, and half an hour later it is still open`)
  }
  for (const { key, rows, payouts } of groupsOf(scene, await withdrawalsOf(world)))
    if (payouts.length === 0 && rows.some(({ status }) => status === 'processing'))
      faults.push(`rest: ${key} was never taken by the gateway, and half an hour later nobody asks what became of it`)
  const { merchant, plan } = world
  const entities = new Set<string>()
  for (const event of plan.settings.deliveries ? feed : []) {
    const entity = entityOf(event)
    // One that keeps failing holds up its own transaction, and no other.
    if (!entities.has(entity) && !merchant.attempted.has(event.cursor))
      faults.push(`rest: nobody tried to deliver ${event.cursor} of ${entity} for half an hour`)
    entities.add(entity)
  }
  return faults
}

/** Nothing that could go on waits. */
async function checkRest({ world, operator, users }: Scene, seen: Observations): Promise<string[]> {
  const faults: string[] = []
  const known = new Set<string | null>(users.filter(({ isKnown }) => isKnown).map(({ name }) => name))
  for (const { id, reason, settled_at, user } of seen.quarantine)
    if (settled_at === null && (reason === 'unknown_currency' || (reason === 'unknown_user' && known.has(user))))
      faults.push(`rest: quarantine ${id} waits for ${reason}, and its reason is gone`)
  if (operator.openAdjustments > 0) faults.push('rest: an adjustment was never answered')
  if (world.webhooks.open > 0) faults.push(`rest: ${world.webhooks.open} webhooks are never answered 200`)
  const behind = await world.database.rows("select status, transaction_uuid from transactions where kind = 'onramp'")
  for (const { transaction_uuid, status } of behind) {
    const uuid = String(transaction_uuid)
    const taken = world.webhooks.answered.some((one) => one.uuid === uuid && one.status === 'succeeded')
    const kept = seen.quarantine.some((one) => one.uuid === uuid && one.status === 'succeeded')
    if (taken && !kept && status !== 'succeeded')
      faults.push(`rest: the purchase ${uuid} succeeded and stays ${String(status)}`)
  }
  return faults
}

/** A day later, with all clocks beyond every promise. */
export async function checkEnd(scene: Scene): Promise<string[]> {
  await untilEnded(scene.world, scene.operator.readFeed(7))
  const seen = await observe(scene)
  return [
    ...(await checkMoney(scene, seen)),
    ...checkWithdrawals(scene, seen),
    ...checkTold(scene, seen),
    ...(await checkRest(scene, seen)),
  ]
}
