/**
 * An instance must not write into tables that a newer version has changed: it would not know the meaning of new
 * columns. Each transaction that may write runs a query first, and a migration waits for transactions that have run it.
 * A single statement does not run the query: it is refused after a transaction or a check of readiness has found the
 * newer version. That takes at most five seconds, the time between two renewals of the instance's lease.
 */

/**
 * After a copy to PostgreSQL, a SQLite database has this and the time as its last migration: so each version refuses to
 * start on it, and an instance that still runs on it writes nothing more.
 */
export const COPIED = 'copied to PostgreSQL at '

export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError'
  /** What a person can do. */
  readonly fix: string

  constructor(migration: string) {
    super(
      migration.startsWith(COPIED)
        ? `the database was ${migration}: set DATABASE_URL to the new database, or give up the copy with \`npm run copy-database -- --undo file:…\``
        : `a newer version has upgraded the database (${migration}): start this instance again in that version`,
    )
    this.fix = migration.startsWith(COPIED)
      ? 'set DATABASE_URL to the new database'
      : 'run the version that upgraded it, or restore the backup from before the upgrade'
  }
}

export interface SchemaGuard {
  /** From now on the database may have no migration after `last`. */
  arm(last: string): void
  /** The query that finds a newer migration; null before `arm`. Its rows go to `check`. */
  readonly query: string | null
  /** @throws NewerSchemaError if there is a row; from then on `assertCurrent` throws it too */
  check(rows: readonly { readonly name: string }[]): void
  /** @throws NewerSchemaError after `check` has found a newer schema: only a restart helps */
  assertCurrent(): void
}

/** Creates the guard of one open database. */
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
