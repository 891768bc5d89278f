/**
 * An instance must not write into tables that a newer version has changed since: it would not know what their new
 * columns mean. Each transaction that may write asks first, and a migration waits for those that have asked. A single
 * statement does not ask: it is refused once a transaction or a check of readiness has found the newer version, which
 * takes as long as from one renewal of the instance's lease to the next, five seconds, at most.
 */

export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError'

  constructor(migration: string) {
    super(`a newer version has upgraded the database (${migration}): start this instance again in that version`)
  }
}

export interface SchemaGuard {
  /** From now on the database may have no migration after `last`. */
  arm(last: string): void
  /** The statement that asks, null before it is armed. Its rows go to `check`. */
  readonly query: string | null
  /** @throws NewerSchemaError if there is a row, and from then on by `assertCurrent` */
  check(rows: readonly { readonly name: string }[]): void
  /** @throws NewerSchemaError once `check` has found a newer schema: only a restart helps */
  assertCurrent(): void
}

/** One for each open database. */
export function schemaGuard(): SchemaGuard {
  let query: string | null = null
  let fault: NewerSchemaError | null = null
  const assertCurrent = (): void => {
    if (fault !== null) throw fault
  }
  return {
    arm(last) {
      query = `select name from schema_migrations where name > '${last}' order by name limit 1`
    },
    get query() {
      return query
    },
    check([newer]) {
      if (newer !== undefined) fault ??= new NewerSchemaError(newer.name)
      assertCurrent()
    },
    assertCurrent,
  }
}
