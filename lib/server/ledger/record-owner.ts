/** Whose a record in a user's list is. A user is the same by exact spelling. */
import { compareTexts } from './compare.ts'
import type { Fact, ListedRecord } from './facts.ts'

const differsInCaseAlone = (asked: string, named: string): boolean =>
  compareTexts(asked, named) === 'differ' && compareTexts(asked.toLowerCase(), named.toLowerCase()) === 'agree'

/**
 * A record that differs from the asked user in case alone is theirs, unless a user of that spelling is known. Every
 * other record of another user is foreign.
 */
export function ownerOfRecord(asked: string, named: string, isKnownUser: (name: string) => boolean): 'own' | 'foreign' {
  if (compareTexts(asked, named) === 'agree') return 'own'
  return differsInCaseAlone(asked, named) && !isKnownUser(named) ? 'own' : 'foreign'
}

/** The names of which it must be known whether they are users: they differ from the asked user in case alone. */
export const spelledOtherwise = (asked: string, names: readonly string[]): readonly string[] => [
  ...new Set(names.filter((name) => differsInCaseAlone(asked, name))),
]

/** The names that are not the asked user. `known` has the known users among `spelledOtherwise`. */
export const foreignNames = (
  asked: string,
  names: readonly string[],
  known: ReadonlySet<string>,
): ReadonlySet<string> =>
  new Set(names.filter((name) => ownerOfRecord(asked, name, (other) => known.has(other)) === 'foreign'))

/** An own record with the user as the list was asked for; its text stays as the gateway wrote it. */
export function asOwnRecord(asked: string, listed: ListedRecord): ListedRecord {
  if (listed.user_reference_id === asked) return listed
  const rewritten = (fact: Fact): Fact => ({ ...fact, user_reference_id: asked })
  return {
    ...listed,
    user_reference_id: asked,
    fact: listed.fact === null ? null : rewritten(listed.fact),
    ...(listed.readings === undefined ? {} : { readings: listed.readings.map(rewritten) }),
  }
}
