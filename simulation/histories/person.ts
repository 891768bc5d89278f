/** A person who knows the truth ends everything that is open, by the documented calls alone. */
import type { Books, Cashier, State } from './port.ts'
import { toldOf, wholeListOf } from './ending.ts'
import type { Violation } from './oracle.ts'
import type { HistoryScene } from './story.ts'
import { START_MS } from './wire.ts'

const NOW = START_MS + 9 * 86_400_000

const isOpen = ({ money, status }: Books['withdrawals'][number]): boolean => money === 'held' || status === 'unknown'

/** Ends each open withdrawal and each line. What cannot be ended is a violation. */
export function settleAll<S extends State>(cashier: Cashier<S>, scene: HistoryScene, end: S): readonly Violation[] {
  const told = toldOf(scene, cashier.books(end))
  const records = wholeListOf(scene, told, 3)
  let state = end
  const shown = (uuid: string): boolean => records.some((text) => text.includes(uuid))
  for (const { id, uuid } of cashier.books(end).withdrawals.filter(isOpen)) {
    const taken = new Set(cashier.books(state).withdrawals.flatMap((one) => (one.id === id ? [] : (one.uuid ?? []))))
    const own = scene.departures
      .filter(({ ifSent, left }) => ifSent === id && left)
      .flatMap(({ uuids }) => uuids)
      .concat(scene.departures.filter(({ left }) => left).flatMap(({ uuids }) => uuids.filter((one) => one === uuid)))
      .find((one) => (shown(one) || one === uuid) && !taken.has(one))
    if (own !== undefined)
      state = cashier.resolve(state, NOW, id, { outcome: 'sent', transaction_uuid: own }, records) ?? state
  }
  for (const uuid of cashier.books(state).unowned) {
    const whose = scene.departures.find(({ uuids, left }) => left && uuids.includes(uuid))?.ifSent ?? null
    const given = whose === null ? null : cashier.own(state, NOW, uuid, { withdrawal_id: whose })
    state = given ?? cashier.own(state, NOW, uuid, { acknowledged: true, note: 'none of ours' }) ?? state
  }
  const giveUp = (): void => {
    for (const { id } of cashier.books(state).withdrawals.filter(isOpen))
      state = cashier.resolve(state, NOW, id, { outcome: 'not_sent' }, records) ?? state
  }
  // What is refused while a line is open is done once the lines are dismissed.
  giveUp()
  state = cashier.dismiss(state, NOW)
  giveUp()
  const { withdrawals, lines } = cashier.books(state)
  return [
    ...withdrawals
      .filter(isOpen)
      .map(({ id, status }) => ({ clause: 'endable', detail: `${id} is ${status}, and no person may end it` })),
    ...lines.map(({ reason }) => ({ clause: 'endable', detail: `a line ${reason} stays open` })),
  ]
}
