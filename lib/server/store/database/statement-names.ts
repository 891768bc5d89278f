import { createHash } from 'node:crypto'
import { isOutdatedStatement } from './store-fault.ts'

/** Names of prepared statements on PostgreSQL: a repeated statement is parsed and planned once for each connection. */

/** How many texts get a name. Texts with lists differ by the number of values, so a limit is needed. */
const MOST_NAMES = 500

export interface StatementNames {
  /** Undefined for a text that is used for the first time, or after the limit is reached. */
  nameOf(text: string): string | undefined
  /** After a migration by another instance each text gets a new name. True if this error shows such a migration. */
  areOutdatedBy(error: unknown): boolean
}

/**
 * One set of names for all connections to a database. A name is a hash of its text: if a pooler mixes the connections
 * of two instances, neither runs the other's statement.
 */
export function statementNames(): StatementNames {
  const names = new Map<string, string | undefined>()
  let generation = 0
  const makeName = (text: string): string =>
    `cashier_${createHash('sha256')
      .update(`${String(generation)}:${text}`)
      .digest('hex')
      .slice(0, 40)}`
  return {
    nameOf(text) {
      const known = names.get(text)
      if (known !== undefined) return known
      if (!names.has(text)) {
        if (names.size < MOST_NAMES) names.set(text, undefined)
        return undefined
      }
      const name = makeName(text)
      names.set(text, name)
      return name
    },
    areOutdatedBy(error) {
      if (!isOutdatedStatement(error)) return false
      names.clear()
      generation += 1
      return true
    },
  }
}
