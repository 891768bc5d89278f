import { isOutdatedStatement } from './store-fault.ts'

/** Names of prepared statements on PostgreSQL: a statement that comes again is parsed and planned once a connection. */

/** Texts that get a name. Those of lists in the query builder differ with the number of values, so there is an end. */
const MOST_NAMES = 500

export interface StatementNames {
  /** Undefined for a text that has come for the first time, or has no place any more. */
  nameOf(text: string): string | undefined
  /** After a migration by another instance each text gets another name. True if this error shows one. */
  areOutdatedBy(error: unknown): boolean
}

/** One for all connections to a database. */
export function statementNames(): StatementNames {
  const names = new Map<string, string | undefined>()
  let given = 0
  return {
    nameOf(text) {
      const known = names.get(text)
      if (known !== undefined) return known
      if (!names.has(text)) {
        if (names.size < MOST_NAMES) names.set(text, undefined)
        return undefined
      }
      given += 1
      const name = `cashier_${String(given)}`
      names.set(text, name)
      return name
    },
    areOutdatedBy(error) {
      if (!isOutdatedStatement(error)) return false
      names.clear()
      return true
    },
  }
}
