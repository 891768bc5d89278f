/** Finds our session of an on-ramp event. One gateway key may sign for many merchants. */
import { agrees, compareTexts } from './compare.ts'
import type { Fact } from './facts.ts'
import type { OnrampRow } from './rows.ts'
import type { UnitOfWork } from './unit-of-work.ts'

type OnrampEvent = Pick<Fact, 'transaction_uuid' | 'correlation_key' | 'session_reference' | 'user_reference_id'>

/** The legacy on-ramp was not given our reference, so an event with our reference does not belong to its session. */
const isLegacy = ({ link, correlation_key }: OnrampRow): boolean => link !== null && correlation_key === null

/** The session that an earlier event of the transaction named, else the session by the key, else by our reference. */
function namedSession(unit: UnitOfWork, event: OnrampEvent): OnrampRow | null {
  const known = unit.transaction('onramp', event.transaction_uuid)
  const found =
    unit.onramp(null, known?.onramp_session_id ?? null) ??
    unit.onramp(
      event.correlation_key ?? known?.correlation_key ?? null,
      event.session_reference ?? known?.session_reference ?? null,
    )
  return found === null || isLegacy(found) ? null : found
}

/** The merchant in a key of the form `<merchant_id>:<session_reference>`; null for a key of another form. */
function merchantIn(key: string | null, reference: string): string | null {
  const end = `:${reference}`
  return key?.endsWith(end) === true && key.length > end.length ? key.slice(0, -end.length) : null
}

/** How the gateway's keys name us: by the session's own key, else by the keys that its replies gave to other sessions. */
function ownMerchants(unit: UnitOfWork, session: OnrampRow): readonly string[] {
  const replied = unit.onramps().filter(({ link }) => link !== null)
  const keyed = session.correlation_key === null ? replied : [session]
  return keyed.flatMap(({ correlation_key, id }) => merchantIn(correlation_key, id) ?? [])
}

/** True for an event that names our session's reference in a key of another merchant. */
export function isOfForeignSession(unit: UnitOfWork, event: OnrampEvent): boolean {
  const session = namedSession(unit, event)
  const theirs = session && merchantIn(event.correlation_key, session.id)
  if (session === null || theirs === null) return false
  const ours = ownMerchants(unit, session)
  return ours.length > 0 && !ours.includes(theirs)
}

/**
 * Our session that an event belongs to; never a session of another user. Where the session's key is known, an event with
 * another key belongs to another session: the session's reference is no secret.
 */
export function sessionOf(unit: UnitOfWork, event: OnrampEvent): OnrampRow | null {
  const session = namedSession(unit, event)
  if (session === null) return null
  const users = compareTexts(event.user_reference_id, session.user_reference_id)
  const keys = compareTexts(event.correlation_key, session.correlation_key)
  return agrees(users, keys) ? session : null
}
