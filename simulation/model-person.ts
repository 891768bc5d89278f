/** A careful person of the merchant. At the end of a world this person ends all that waits for one, by the truth. */
import { ask, withdrawalsOf, type SeenWithdrawal } from './ask.ts'
import { unitsOf } from './amounts.ts'
import type { Movement } from './gateway-records.ts'
import { MERCHANT_BACKEND, Problem, type UseCases } from './instance.ts'
import { CURRENCIES } from './currencies.ts'
import { callKey } from './model-gateway.ts'
import { payoutsOf, quarantineOf, type SeenPayout } from './observations.ts'
import type { Scene } from './scene.ts'

const currencyIdOf = (one: SeenWithdrawal): string =>
  CURRENCIES.find(({ currency_code, network }) => currency_code === one.currency && network === one.network)?.id ?? ''

/** The gateway's view of a withdrawal. */
export const keyOf = (one: SeenWithdrawal): string =>
  callKey({
    user: one.user_reference_id,
    currencyId: currencyIdOf(one),
    units: unitsOf(one.amount),
    address: one.wallet_address,
  })

const NOTE = 'the gateway was asked'

class Person {
  readonly #scene: Scene
  /** Calls that were refused in this round. */
  readonly refused: string[] = []

  constructor(scene: Scene) {
    this.#scene = scene
  }

  async #do(what: string, work: (useCases: UseCases) => Promise<unknown>): Promise<boolean> {
    const { world } = this.#scene
    try {
      await ask(world, work)
      world.note(`a person ends ${what}`)
      return true
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      this.refused.push(`${what}: ${error.code}`)
      return false
    }
  }

  #payouts(row: SeenWithdrawal): readonly Movement[] {
    return this.#scene.world.gateway.movements.filter(({ askedBy }) => askedBy === keyOf(row))
  }

  /** Says whose a payout is. If its withdrawal is lost, the person books the payout. */
  async ownPayout({ transaction_uuid: uuid }: SeenPayout, rows: readonly SeenWithdrawal[]): Promise<void> {
    const { world, operator } = this.#scene
    const payout = world.gateway.movements.find((one) => one.uuid === uuid)
    const askedBy = payout?.askedBy ?? null
    for (const row of rows)
      if (askedBy !== null && row.transaction_uuid === null && keyOf(row) === askedBy) {
        const given = await this.#do(`the payout ${uuid}: it is ${row.id}`, (useCases) =>
          useCases.setPayoutOwner(uuid, { withdrawal_id: row.id, note: NOTE }),
        )
        if (given) return
      }
    const acknowledged = await this.#do(`the payout ${uuid}: acknowledged`, (useCases) =>
      useCases.setPayoutOwner(uuid, { acknowledged: true, note: NOTE }),
    )
    if (acknowledged && payout !== undefined && askedBy !== null) await operator.bookLost(payout)
  }

  /** Ends a withdrawal that has `attention`, or that is unknown or waits. */
  async endWithdrawal(row: SeenWithdrawal, owned: ReadonlySet<string>): Promise<void> {
    if (row.status === 'pending_authorization') {
      await this.#do(`the withdrawal ${row.id}: declined`, (useCases) =>
        useCases.decideWithdrawal(row.id, { decision: 'decline' }, 'merchant'),
      )
      return
    }
    const payout = this.#payouts(row).find(
      ({ uuid, status }) => status === 'succeeded' && (row.transaction_uuid === uuid || !owned.has(uuid)),
    )
    const resolution =
      payout === undefined
        ? { outcome: 'not_sent' as const, note: NOTE }
        : { outcome: 'sent' as const, transaction_uuid: payout.uuid, note: NOTE }
    await this.#do(`the withdrawal ${row.id}: ${resolution.outcome}`, (useCases) =>
      useCases.resolveWithdrawal(row.id, resolution),
    )
  }

  endLine({ id, reason }: { readonly id: string; readonly reason: string }): Promise<boolean> {
    return this.#do(`the line ${id} (${reason})`, (useCases) =>
      useCases.resolveQuarantine(id, { action: 'dismiss', note: NOTE }, MERCHANT_BACKEND),
    )
  }
}

const needsPerson = ({ status, attention }: SeenWithdrawal): boolean =>
  status === 'unknown' || status === 'pending_authorization' || attention !== null

/**
 * Ends every open payout, withdrawal and line, each by its own call of the merchant's API. Returns what is still open
 * afterwards.
 */
export async function endAll(scene: Scene): Promise<readonly string[]> {
  const { world } = scene
  let left: readonly string[] = []
  for (let round = 0; round < 3; round += 1) {
    const person = new Person(scene)
    for (const payout of await payoutsOf(world))
      if (payout.owner === null) await person.ownPayout(payout, await withdrawalsOf(world))
    const owned = new Set((await payoutsOf(world)).flatMap((one) => (one.owner === null ? [] : one.transaction_uuid)))
    for (const row of await withdrawalsOf(world)) if (needsPerson(row)) await person.endWithdrawal(row, owned)
    for (const line of await quarantineOf(world)) if (line.settled_at === null) await person.endLine(line)
    await world.rest([2000, 60_000])
    left = [
      ...(await withdrawalsOf(world))
        .filter(needsPerson)
        .map(({ id, status, attention }) => `the withdrawal ${id} is ${status} and has ${attention ?? 'no attention'}`),
      ...(await quarantineOf(world))
        .filter(({ settled_at }) => settled_at === null)
        .map(({ id, reason, uuid }) => `the line ${id} of ${uuid ?? 'no transaction'} (${reason}) is open`),
    ].map((line) => `${line}; refused: ${person.refused.join(', ') || 'nothing'}`)
    if (left.length === 0) return left
  }
  return left
}
