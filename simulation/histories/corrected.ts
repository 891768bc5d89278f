/**
 * The gateway changes its word about a transaction again and again, and between two words a person may correct the
 * user's balance to what the gateway says, or only dismiss the lines. The books and the correction are then what the
 * gateway says, or what a person has read and left, or an open line names the transaction.
 */
import { unitsOf } from '../amounts.ts'
import type { Books } from './port.ts'
import { ETH, START_MS, USDT, USER, type Currency, type JsonObject } from './wire.ts'

/** In this time every word becomes old enough to be judged. */
const PHASE_MS = 30 * 3_600_000

/** What the user's list says of a transaction. */
export interface Word {
  readonly name: string
  readonly records: readonly JsonObject[]
  /** The change of the user's money that it tells of. */
  readonly money: readonly (readonly [currency: Currency, amount: string])[]
  /** It is never the first word. */
  readonly isLater?: true
}

/** The cashier that reads a user's list again and again. States never change. */
export interface Reader<S> {
  /** Equal states have an equal key. */
  readonly key: (state: S) => string
  /** Reads the whole list, passes the deadlines, and compares the totals. */
  readonly read: (state: S, at: number, records: readonly JsonObject[]) => S
  /** Dismisses every open line. */
  readonly dismiss: (state: S) => S
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

/** Searches every history of so many words, in which a person acts after each or does not. */
export function silencesOf<S>(
  { key, read, dismiss, books: booksOf }: Reader<S>,
  { start, words, names }: Subject<S>,
  length: number,
): { readonly histories: number; readonly silences: readonly Silence[] } {
  const silences: Silence[] = []
  const counts = new Map<string, number>()
  const path: string[] = []

  const along = (step: string, count: () => number): number => {
    path.push(step)
    const found = count()
    path.pop()
    return found
  }
  const visit = (state: S, { corrected, read: left }: Known, last: Word | null): number => {
    const spoken = path.filter((step) => words.some(({ name }) => name === step)).length
    if (spoken === length) return 1
    const place = [spoken, last?.name, corrected.join(), left.join(), key(state)].join('|')
    const before = counts.get(place)
    if (before !== undefined) return before
    const next = (word: Word): number => {
      const after = read(state, START_MS + (spoken + 1) * PHASE_MS, word.records)
      const books = booksOf(after)
      const missing = missingIn(books, word)
      if (!isTold(books, names)) {
        if ([corrected, left].some((known) => known.join() === missing.join()))
          return visit(after, { corrected, read: left }, word)
        silences.push({ history: [...path], missing: missing.join(), known: corrected.join() })
        return 1
      }
      const dismissed = dismiss(after)
      return (
        visit(after, { corrected, read: left }, word) +
        along('a person corrects', () => visit(dismissed, { corrected: missing, read: missing }, word)) +
        along('a person dismisses', () => visit(dismissed, { corrected, read: missing }, word))
      )
    }
    const count = words
      .filter((word) => word !== last && (spoken > 0 || word.isLater !== true))
      .reduce((sum, word) => sum + along(word.name, () => next(word)), 0)
    counts.set(place, count)
    return count
  }

  return { histories: visit(start, { corrected: NOTHING, read: NOTHING }, null), silences }
}
