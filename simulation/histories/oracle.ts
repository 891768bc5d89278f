/**
 * What must hold at the end of a history: each transaction's money is booked as the gateway moved it, or an open line
 * names that transaction. Nothing is forgiven by its kind, and a line excuses only the transaction that it names. A
 * line about the user's list names the transactions whose records in it cannot be read: who looks into that list sees
 * them. A line about the control totals names the transactions of its event.
 */
import type { Books, BookedWithdrawal } from './port.ts'
import { UNNAMED, type HistoryScene } from './story.ts'
import { ETH, USER } from './wire.ts'

/** What is wrong, by the broken clause. */
export interface Violation {
  readonly clause: string
  readonly detail: string
}

const SCALE = 30
const CURRENCY = `${ETH.code}@${ETH.network}`

/** An amount in units of 10^-30. */
function unitsOf(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.')
  const units = BigInt(whole + fraction.padEnd(SCALE, '0'))
  return amount.startsWith('-') ? -units : units
}

const total = (amounts: readonly string[]): bigint => amounts.reduce((sum, amount) => sum + unitsOf(amount), 0n)

/** The transactions that an open line names. */
const namedIn = ({ lines }: Books): ReadonlySet<string> => new Set(lines.map(({ uuid }) => uuid ?? UNNAMED))

function* arrivals(
  { arrivals: expected }: HistoryScene,
  { credits }: Books,
  named: ReadonlySet<string>,
): Generator<Violation> {
  for (const { uuids, amount } of expected) {
    const own = credits.filter(({ uuid }) => uuids.includes(uuid))
    const isRight =
      own.every(({ user, currency }) => user === USER && currency === CURRENCY) &&
      total(own.map((one) => one.amount)) === unitsOf(amount)
    if (!isRight && !uuids.some((uuid) => named.has(uuid)))
      yield {
        clause: 'arrival',
        detail: `${amount} arrived, ${own.map((one) => `${one.amount} ${one.currency}`).join(' and ') || 'nothing'} is credited`,
      }
  }
  const known = new Set(expected.flatMap(({ uuids }) => uuids))
  for (const { uuid, amount } of credits)
    if (!known.has(uuid) && !named.has(uuid))
      yield { clause: 'credit', detail: `${amount} is credited for ${uuid}, which is not the user's` }
}

const isNamed = ({ attention, uuid }: BookedWithdrawal, named: ReadonlySet<string>): boolean =>
  attention !== null || (uuid !== null && named.has(uuid))

/** We have proved, by no word of the gateway's, that its money has not left. */
const isAbsent = ({ money, reason }: BookedWithdrawal): boolean => money === 'released' && reason === 'not_sent'

function* departures(scene: HistoryScene, { withdrawals }: Books, named: ReadonlySet<string>): Generator<Violation> {
  const sent = new Set(withdrawals.map(({ id }) => id))
  const paid = withdrawals.filter(({ money }) => money === 'paid')
  const made = scene.departures.filter(({ ifSent }) => ifSent === null || sent.has(ifSent))
  /** The money of these withdrawals is still held, and a person is asked. */
  const waiting = withdrawals.filter((one) => one.money === 'held' && isNamed(one, named)).map(({ id }) => id)
  const absent = withdrawals.filter(isAbsent)
  for (const { uuids, left, ifSent } of made) {
    if (ifSent !== null && waiting.includes(ifSent)) continue
    const debited = paid.filter(({ uuid }) => uuid !== null && uuids.includes(uuid))
    // The money of a withdrawal that counts as absent can be spent again before anybody reads a line.
    const isTold = !absent.some(({ id }) => id === ifSent) && uuids.some((uuid) => named.has(uuid))
    if (debited.length !== (left ? 1 : 0) && !isTold)
      yield {
        clause: 'departure',
        detail: `${uuids.join(' or ')} ${left ? 'left' : 'did not leave'} and is debited ${String(debited.length)} times`,
      }
  }
  const known = new Set(made.flatMap(({ uuids }) => uuids))
  for (const { id, uuid } of paid)
    if (uuid === null || (!known.has(uuid) && !named.has(uuid)))
      yield { clause: 'debit', detail: `${id} is debited for ${String(uuid)}, which nobody made` }
}

/**
 * No absence is proved once the list or an event has shown the payout, whatever becomes of it later. A reply or a
 * record that says that the money has not left is the gateway's own word, and a payout that another withdrawal has
 * cannot be told from that withdrawal's own.
 * @param told the events and records that came until now
 */
export function releaseViolations(
  { departures: made }: HistoryScene,
  told: readonly string[],
  before: Books,
  { withdrawals }: Books,
): readonly Violation[] {
  const held = before.withdrawals.filter(({ money }) => money === 'held').map(({ id }) => id)
  const absent = withdrawals.filter((one) => isAbsent(one) && held.includes(one.id))
  const owned = new Set(withdrawals.map(({ uuid }) => uuid))
  return absent.flatMap(({ id }) =>
    made
      .filter(({ ifSent, left, uuids }) => left && ifSent === id && !uuids.some((uuid) => owned.has(uuid)))
      .flatMap(({ uuids }) => uuids.filter((uuid) => told.some((text) => text.includes(uuid))))
      .map((uuid) => ({ clause: 'release', detail: `${id} counts as absent, although ${uuid} was shown` })),
  )
}

/** The user has what came in, less what went out. */
function* balances({ funds }: HistoryScene, { balances: stored, credits, withdrawals }: Books): Generator<Violation> {
  for (const currency of new Set([CURRENCY, ...stored.map((one) => one.currency)])) {
    const own = stored.filter((one) => one.currency === currency)
    const inOf = (all: readonly { readonly currency: string; readonly amount: string }[]): bigint =>
      total(all.filter((one) => one.currency === currency).map(({ amount }) => amount))
    const held = total(own.map((one) => one.held))
    const shouldHave =
      (currency === CURRENCY ? unitsOf(funds) : 0n) +
      inOf(credits.filter(({ user }) => user === USER)) -
      inOf(withdrawals.filter(({ money }) => money === 'paid'))
    if (total(own.map((one) => one.available)) + held !== shouldHave)
      yield { clause: 'books', detail: `the balance of ${currency} is not the sum of its bookings` }
    if (held !== inOf(withdrawals.filter(({ money }) => money === 'held')))
      yield { clause: 'books', detail: `what is held of ${currency} is not what withdrawals hold` }
  }
}

/** Where nothing is uncertain nobody is asked: everything is booked by itself, and no line is open. */
function* needless({ calm }: HistoryScene, { lines, withdrawals }: Books): Generator<Violation> {
  if (!calm) return
  for (const { reason, uuid } of lines) yield { clause: 'needless', detail: `a line ${reason} names ${String(uuid)}` }
  for (const { id, attention, status } of withdrawals)
    if (attention !== null || status === 'unknown')
      yield { clause: 'needless', detail: `${id} is ${status} and waits for a person` }
}

export function violationsOf(scene: HistoryScene, books: Books): readonly Violation[] {
  const named = namedIn(books)
  const open = books.withdrawals.filter((one) => one.money === 'held' && !isNamed(one, named))
  return [
    ...arrivals(scene, books, named),
    ...departures(scene, books, named),
    ...balances(scene, books),
    ...needless(scene, books),
    ...open.map(({ id, status }) => ({ clause: 'held', detail: `${id} is ${status}, and nobody is told` })),
  ]
}
