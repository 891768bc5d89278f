/** No message that was answered 200 is forgotten. The feed and each stream report every change once and in order. */
import { asDouble } from './amounts.ts'
import type { MerchantEvent } from './model-merchant.ts'
import { isNamed, type Observations, type UserStream } from './observations.ts'
import type { Scene } from './scene.ts'

const field = (event: MerchantEvent, name: string): string | null => {
  const value = event.data[name]
  return typeof value === 'string' ? value : null
}

/** Statuses in which an event can be applied. */
const CAN_APPLY = ['pending', 'processing', 'succeeded', 'failed']

/**
 * Each message was applied, was a duplicate, or is in quarantine with a reason. If the merchant keeps the balances and
 * no merchant reference is set, a deposit waits until the list confirms it: its success must not be reported.
 */
function checkMessages({ world, life }: Scene, seen: Observations): string[] {
  const { pinned } = world.plan.settings
  const ledgerMode = world.books === 'embedded' ? 'embedded' : 'merchant'
  const { strangers, contradicted } = life.truth
  const waitsForList = (kind: string): boolean => ledgerMode === 'merchant' && !pinned && kind === 'deposit'
  const told = new Map<string, Set<string>>()
  for (const event of seen.feed) {
    const uuid = field(event, 'transaction_uuid')
    if (uuid !== null) told.set(uuid, (told.get(uuid) ?? new Set()).add(field(event, 'status') ?? ''))
  }
  const kept = new Set(
    seen.quarantine
      .filter(({ reason }) => reason !== '')
      .map(({ uuid, status }) => `${uuid ?? ''} ${status ?? 'unreadable'}`),
  )
  const disputed = new Set(
    seen.quarantine.filter(({ reason }) => reason === 'list_conflict').map(({ uuid }) => uuid ?? ''),
  )
  return world.webhooks.answered.flatMap(({ uuid, kind, status, user, atMs }) => {
    if (world.isLost(atMs) || (user !== null && world.erased.has(user))) return []
    const states = told.get(uuid)
    if (waitsForList(kind) && strangers.has(uuid))
      return world.books === 'merchant' && states?.has('succeeded') === true
        ? [`told: the deposit ${uuid} of another merchant succeeded`]
        : []
    if (waitsForList(kind) && contradicted.has(uuid) && isNamed(seen, uuid)) return []
    // The quarantine item has the message that showed the conflict. That may be an earlier message.
    if (ledgerMode === 'merchant' && kind === 'deposit' && disputed.has(uuid)) return []
    const applied = states !== undefined && (status !== 'succeeded' || states.has('succeeded'))
    if (kept.has(`${uuid} ${status}`) || (applied && CAN_APPLY.includes(status))) return []
    return [`forgotten: the ${kind} ${uuid} ${status} was answered 200, and is neither applied nor in quarantine`]
  })
}

/** Name of the event's transaction. Deliveries keep the order within one transaction. */
export const entityOf = (event: MerchantEvent): string => {
  const withdrawal = field(event, 'withdrawal_id')
  return withdrawal === null
    ? `${field(event, 'kind') ?? ''}:${field(event, 'transaction_uuid') ?? ''}`
    : `withdrawal:${withdrawal}`
}

const timeOf = (event: MerchantEvent): number => Date.parse(field(event, 'updated_at') ?? '')

const RANKS = ['other', 'pending', 'processing', 'failed', 'succeeded']

/** By these a merchant who keeps the books knows whose a success is, and which deposit is that of a purchase. */
const FOUND_LATER = ['user_reference_id', 'session_reference', 'tx_hash'] as const

/**
 * A webhook's amount passed through a double. The one with more digits holds, so a merchant who keeps the books must hear
 * of it: the same success is told once more, with an amount that is the same double and has as many digits or more. So is
 * one that lacked what a later message tells.
 */
function saysMore(event: MerchantEvent, before: MerchantEvent): boolean {
  if (field(event, 'status') !== 'succeeded' || field(before, 'status') !== 'succeeded') return false
  if (FOUND_LATER.some((name) => field(before, name) === null && field(event, name) !== null)) return true
  const [now, then] = [field(event, 'amount') ?? '', field(before, 'amount') ?? '']
  return now !== then && now.length >= then.length && asDouble(now) === asDouble(then)
}

/**
 * Of a user who comes back after an erasure, it is told anew; the earlier event has the pseudonym. A second erasure of the
 * user gives both its own pseudonym.
 */
function isToldAnew(erased: Scene['world']['erased'], before: MerchantEvent, event: MerchantEvent): boolean {
  const user = field(event, 'user_reference_id') ?? ''
  return field(before, 'user_reference_id') === user
    ? [...erased.values()].some((pseudonyms) => pseudonyms.indexOf(user) > 0)
    : erased.size > 0
}

/** A reader that follows the feed page by page gets the same events as a reader of the whole feed at the end. */
function checkFeed({ world }: Scene, seen: Observations): string[] {
  const faults: string[] = []
  const whole = seen.feed.map(({ cursor }) => cursor)
  if (new Set(whole).size !== whole.length) faults.push('feed: a cursor occurs twice')
  const read = world.merchant.feed.map(({ cursor }) => cursor)
  for (const [index, cursor] of whole.entries())
    if (read[index] !== cursor) {
      faults.push(
        `feed: read page by page, event ${index} is ${read[index] ?? 'missing'}; read at once, it is ${cursor}`,
      )
      break
    }
  if (read.length > whole.length) faults.push('feed: an event that was read has disappeared')
  const last = new Map<string, MerchantEvent>()
  for (const [index, event] of seen.feed.entries()) {
    const entity = entityOf(event)
    const before = last.get(entity)
    last.set(entity, event)
    if (before === undefined || isToldAnew(world.erased, before, event)) continue
    // Merchants know by it which state is newer.
    if (timeOf(event) <= timeOf(before))
      faults.push(`feed: ${entity} is ${field(event, 'status') ?? ''} no later than ${field(before, 'status') ?? ''}`)
    if (entity.startsWith('withdrawal:')) continue
    const [then, now] = [RANKS.indexOf(field(before, 'status') ?? ''), RANKS.indexOf(field(event, 'status') ?? '')]
    // The merchant keeps the books since, and the list has only now confirmed the deposit.
    const isToldAgain =
      now === then &&
      world.ledgerMode === 'merchant' &&
      entity.startsWith('deposit:') &&
      world.eventsBefore !== null &&
      seen.feed.indexOf(before) < world.eventsBefore &&
      index >= world.eventsBefore
    if (now <= then && !isToldAgain && !saysMore(event, before))
      faults.push(
        `feed: ${entity} is reported as ${field(event, 'status') ?? ''} after ${field(before, 'status') ?? ''}`,
      )
  }
  for (const withdrawal of seen.withdrawals) {
    const said = last.get(`withdrawal:${withdrawal.id}`)
    const quiet = said === undefined && ['pending_authorization'].includes(withdrawal.status)
    if (!quiet && (said === undefined || field(said, 'status') !== withdrawal.status))
      faults.push(
        `feed: the withdrawal ${withdrawal.id} is ${withdrawal.status}, and its last reported status is ${said === undefined ? 'nothing' : (field(said, 'status') ?? '')}`,
      )
  }
  return faults
}

const CONTENT = ['transaction_uuid', 'kind', 'status', 'amount', 'withdrawal_id', 'tx_hash'] as const
const contentOf = (data: Readonly<Record<string, unknown>>): string =>
  CONTENT.map((name) => (typeof data[name] === 'string' ? data[name] : '')).join(' ')

/** A stream has the numbers 1, 2, 3 … and the user's events of the feed, in the same order. */
function checkStream(user: string, { lines, isWhole }: UserStream, feed: readonly MerchantEvent[]): string[] {
  const gap = lines.findIndex(({ seq }, index) => seq !== index + 1)
  if (gap !== -1) return [`stream: of ${user}, number ${gap + 1} is ${lines[gap]?.seq ?? ''}`]
  const streamed = lines
    .filter(({ type }) => type === 'transaction')
    .map(({ data }) => contentOf(JSON.parse(data) as Record<string, unknown>))
  const all = feed.filter((event) => field(event, 'user_reference_id') === user).map(({ data }) => contentOf(data))
  // Events without a user go only to the stream of the purchase's user.
  const own = streamed.filter((line) => all.includes(line) || !line.includes('onramp'))
  const fed = isWhole ? all : all.slice(Math.max(0, all.length - own.length))
  const differs = own.findIndex((line, index) => line !== fed[index])
  if (differs === -1 && own.length === fed.length) return []
  const at = differs === -1 ? own.length : differs
  return [`feed: of ${user}, event ${at} is "${fed[at] ?? 'missing'}", and the stream has "${own[at] ?? 'nothing'}"`]
}

/** Despite losses and reconnects, a page receives the whole stream from its start position. */
function checkReaders({ users, world }: Scene, seen: Observations): string[] {
  if (world.lost !== null) return []
  return users.flatMap((user) => {
    if (world.erased.has(user.name)) return []
    const whole = seen.streams.get(user.name)?.lines ?? []
    return user.streams.flatMap(({ from, lines, resets }) => {
      if (resets > 0) return [`stream: a reader of ${user.name} was told to start over`]
      const wrong = lines.findIndex((line, index) => {
        const wanted = whole[from + index]
        return line.seq !== wanted?.seq || line.data !== wanted.data
      })
      return wrong === -1
        ? []
        : [`stream: a reader of ${user.name} got number ${lines[wrong]?.seq ?? ''} as event ${wrong} after ${from}`]
    })
  })
}

/** Each event reached the merchant's webhook. First deliveries are in order within a transaction. */
function checkDeliveries({ world }: Scene, seen: Observations): string[] {
  if (!world.plan.settings.deliveries || world.lost !== null) return []
  const place = new Map(seen.feed.map(({ cursor }, index) => [cursor, index]))
  const faults: string[] = []
  const arrived = new Set<string>()
  const latest = new Map<string, number>()
  for (const event of world.merchant.delivered) {
    const index = place.get(event.cursor)
    if (index === undefined) {
      faults.push(`deliveries: ${event.cursor} was delivered and is not in the feed`)
      continue
    }
    if (arrived.has(event.cursor)) continue
    arrived.add(event.cursor)
    const entity = entityOf(event)
    if (index < (latest.get(entity) ?? -1))
      faults.push(`deliveries: ${event.cursor} of ${entity} arrived after a later event`)
    latest.set(entity, index)
  }
  for (const { cursor } of seen.feed)
    if (!arrived.has(cursor)) faults.push(`deliveries: ${cursor} never reached the merchant`)
  return faults
}

export function checkTold(scene: Scene, seen: Observations): string[] {
  return [
    ...checkMessages(scene, seen),
    ...checkFeed(scene, seen),
    ...[...seen.streams].flatMap(([user, lines]) => checkStream(user, lines, seen.feed)),
    ...checkReaders(scene, seen),
    ...checkDeliveries(scene, seen),
  ]
}
