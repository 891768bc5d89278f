import type { ConfigWarning } from './config.ts'
import { VARIABLE_MEANINGS } from './variable-meanings.ts'

const KNOWN: readonly string[] = Object.keys(VARIABLE_MEANINGS)
/** A shorter name resembles too much else. */
const LEAST_LENGTH = 5

/** How many characters to insert, remove or replace. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (const [index, char] of Array.from(one).entries()) {
    const next = [index + 1]
    for (const [column, its] of Array.from(other).entries()) {
      const replaced = (row[column] ?? 0) + (char === its ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

const isLike = (name: string, known: string): boolean =>
  known.length >= LEAST_LENGTH &&
  Math.abs(name.length - known.length) <= 2 &&
  distance(name.toUpperCase(), known) <= (known.length < 8 ? 1 : 2)

/** Variables that the cashier does not read, but whose names are nearly those of settings. */
export const misspeltNames = (names: readonly string[]): readonly ConfigWarning[] =>
  names
    .filter((name) => !KNOWN.includes(name))
    .flatMap((name) => {
      const meant = KNOWN.find((known) => isLike(name, known))
      if (meant === undefined) return []
      return [{ message: `${name} is not read: is ${meant} meant?`, fix: `rename it to ${meant}, or remove it` }]
    })
