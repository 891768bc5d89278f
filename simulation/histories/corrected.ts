/**
 * The gateway changes its word about a transaction again and again, and between two words a person may correct the
 * user's balance to what the gateway says, or only dismiss the lines. The books and the correction are then what the
 * gateway says, or what a person has read and left, or an open line names the transaction.
 */
import { unitsOf } from '../amounts.ts'
import type { Books } from './port.ts'
import { ETH, START_MS, USDT, USER, type Currency, type JsonObject } from './wire.ts'

/** In this time every word becomes old enough to be judged. */
export const PHASE_MS = 30 * 3_600_000

/** What the user's list says of a transaction. */
export interface Word {
  readonly name: string
  readonly records: readonly JsonObject[]
  /** The change of the user's money that it tells of. */
  readonly money: readonly (readonly [currency: Currency, amount: string])[]
  /** Nothing has moved for good: of a payout that a person has called none of ours it takes nothing back. */
  readonly isOpen?: true
}

/** The cashier that reads a user's list again and again. States never change. */
export interface Reader<S> {
  /** Equal states have an equal key. */
  readonly key: (state: S) => string
  /** Reads the whole list, passes the deadlines, and compares the totals. */
  readonly read: (state: S, at: number, records: readonly JsonObject[]) => S
  /**
   * Ends all that is open, as a person does who asked nobody: payouts are none of ours, withdrawals that need attention
   * were not sent, and lines are dismissed.
   */
  readonly dismiss: (state: S, at: number) => S
  readonly books: (state: S) => Books
}

export interface Subject<S> {
  readonly name: string
  /** What came before the list's first word. */
  readonly start: S
  readonly words: readonly Word[]
  /** The transactions and withdrawals by which a line may name it. */
  readonly names: readonly string[]
}

/** A change that nobody was told. */
export interface Silence {
  readonly history: readonly string[]
  /** What the books lack, and what they lacked when a person acted, in units by currency. */
  readonly missing: string
  readonly known: string
}

type Missing = readonly bigint[]

const nameOf = ({ code, network }: Currency): string => `${code}@${network}`
const CURRENCIES = [ETH, USDT].map(nameOf)

/** What the books lack of what the gateway says, by currency. */
function missingIn({ credits, withdrawals }: Books, { money }: Word): Missing {
  const parts: readonly (readonly [currency: string, units: bigint])[] = [
    ...money.map(([currency, amount]) => [nameOf(currency), unitsOf(amount)] as const),
    ...credits.filter(({ user }) => user === USER).map((one) => [one.currency, -unitsOf(one.amount)] as const),
    ...withdrawals.filter((one) => one.money === 'paid').map((one) => [one.currency, unitsOf(one.amount)] as const),
  ]
  return CURRENCIES.map((name) =>
    parts.filter(([currency]) => currency === name).reduce((sum, [, units]) => sum + units, 0n),
  )
}

/** What a person knows who has called payouts none of ours: they move that much, sooner or later. */
const movedBy = ({ acknowledged }: Books): Missing =>
  CURRENCIES.map((name) =>
    acknowledged.filter(({ currency }) => currency === name).reduce((sum, { amount }) => sum - unitsOf(amount), 0n),
  )

const isTold = ({ lines, unowned, withdrawals }: Books, names: readonly string[]): boolean =>
  [
    ...lines.flatMap(({ uuid }) => uuid ?? []),
    ...unowned,
    ...withdrawals.flatMap(({ id, attention }) => (attention === null ? [] : [id])),
  ].some((name) => names.includes(name))

/** What a person has done about what the books lack. */
interface Known {
  /** The balance was corrected by it. */
  readonly corrected: Missing
  /** The last line was about it. */
  readonly read: Missing
}

const NOTHING = CURRENCIES.map(() => 0n)

/** What a word makes of a state, whatever a person knows. */
interface Told<S> {
  readonly after: S
  readonly missing: Missing
  readonly acknowledged: Missing
  /** The state after a person has ended all that is open; null if nobody was told. */
  readonly ended: S | null
}

/** Searches every history of so many words, in which a person acts after each or does not. */
export function silencesOf<S extends object>(
  { key, read, dismiss, books: booksOf }: Reader<S>,
  { start, words, names }: Subject<S>,
  length: number,
): { readonly histories: number; readonly silences: readonly Silence[] } {
  const silences: Silence[] = []
  const counts = new Map<string, number>()
  const readings = new Map<string, Told<S>>()
  const keys = new WeakMap<S, string>()
  const path: string[] = []

  const keyOf = (state: S): string => {
    const text = keys.get(state) ?? key(state)
    keys.set(state, text)
    return text
  }
  const along = (step: string, count: () => number): number => {
    path.push(step)
    const found = count()
    path.pop()
    return found
  }
  const tell = (state: S, word: Word, spoken: number): Told<S> => {
    const place = [spoken, word.name, keyOf(state)].join('|')
    const before = readings.get(place)
    if (before !== undefined) return before
    const at = START_MS + (spoken + 1) * PHASE_MS
    const after = read(state, at, word.records)
    const books = booksOf(after)
    // After the last word nothing follows that depends on what was ended.
    const end = (): S => (spoken + 1 === length ? after : dismiss(after, at + PHASE_MS - 1))
    const told = {
      after,
      missing: missingIn(books, word),
      acknowledged: movedBy(books),
      ended: isTold(books, names) ? end() : null,
    }
    readings.set(place, told)
    return told
  }
  const visit = (state: S, { corrected, read: left }: Known, last: Word | null, spoken: number): number => {
    if (spoken === length) return 1
    const place = [spoken, last?.name, corrected.join(), left.join(), keyOf(state)].join('|')
    const before = counts.get(place)
    if (before !== undefined) return before
    const next = (word: Word): number => {
      const { after, missing, acknowledged, ended } = tell(state, word, spoken)
      if (ended === null) {
        const isNobodys = acknowledged.some((amount) => amount !== 0n)
        const known = [corrected, left, ...(isNobodys ? [acknowledged] : [])]
        if ((isNobodys && word.isOpen) || known.some((one) => one.join() === missing.join()))
          return visit(after, { corrected, read: left }, word, spoken + 1)
        silences.push({ history: [...path], missing: missing.join(), known: corrected.join() })
        return 1
      }
      return (
        visit(after, { corrected, read: left }, word, spoken + 1) +
        along('a person corrects', () => visit(ended, { corrected: missing, read: missing }, word, spoken + 1)) +
        along('a person dismisses', () => visit(ended, { corrected, read: missing }, word, spoken + 1))
      )
    }
    const count = words
      .filter((word) => word !== last)
      .reduce((sum, word) => sum + along(word.name, () => next(word)), 0)
    counts.set(place, count)
    return count
  }

  return { histories: visit(start, { corrected: NOTHING, read: NOTHING }, null, 0), silences }
}
