/** Events that wait in quarantine, and what belongs to a purchase that only they tell of. */
import { comparableHash } from '#lib/addresses/index.ts'
import type { GatewayEvent } from '../../gateway/parse-webhook.ts'
import type { HeldPurchase, StoryRows } from '../../store/types.ts'
import { isEventLine, readEvent } from './told.ts'

/** The events about the story's own transaction that were not applied yet, oldest first. */
export const heldEvents = ({ uuids: [asked], lines }: StoryRows): readonly GatewayEvent[] =>
  lines
    .filter((line) => line.settled_ms === null && line.transaction_uuid === asked && isEventLine(line))
    .toSorted((a, b) => a.id - b.id)
    .flatMap(({ event }) => readEvent(event) ?? [])

const present = (texts: readonly (string | null)[]): readonly string[] => texts.filter((text) => text !== null)

/** By what the session and the deposits of a purchase in quarantine are found; null if there is none. */
export function heldPurchase(rows: StoryRows): HeldPurchase | null {
  const held = heldEvents(rows).filter(({ kind }) => kind === 'onramp')
  if (held.length === 0) return null
  return {
    users: present(held.map(({ user_reference_id }) => user_reference_id)),
    sessions: present(held.map(({ session_reference }) => session_reference)),
    keys: present(held.map(({ correlation_key }) => correlation_key)),
    hashes: held.flatMap(({ tx_hash, currency }) => {
      const network = currency.known === 'by_id' ? currency.currency.network : currency.network
      return tx_hash === null ? [] : [comparableHash(network ?? '', tx_hash)]
    }),
  }
}
