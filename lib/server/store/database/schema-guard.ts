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

/** The same for a copy that was given up. */
export const GIVEN_UP = 'the copy was given up at '

const MOVED: readonly (readonly [mark: string, message: (mark: string) => string, fix: string])[] = [
  [
    COPIED,
    (mark) =>
      `the database was ${mark}: set DATABASE_URL to the new database, or give up the copy with the command \`copy-database --undo file:… postgres://…\``,
    'set DATABASE_URL to the new database',
  ],
  [
    GIVEN_UP,
    (mark) => `${mark}: set DATABASE_URL to the database that was copied`,
    'set DATABASE_URL to the database that was copied',
  ],
]

export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError'
  /** What a person can do. */
  readonly fix: string

  constructor(migration: string) {
    const [, message, fix] = MOVED.find(([mark]) => migration.startsWith(mark)) ?? []
    super(
      message?.(migration) ??
        `a newer version has upgraded the database (${migration}): start this instance again in that version`,
    )
    this.fix = fix ?? 'run the version that upgraded it, or restore the backup from before the upgrade'
  }
}

/** What the query answers while commits would be on one machine alone; after each name of a migration. */
const NOT_REPLICATED = '~ no synchronous standby'

/** With `DATABASE_REPLICATED=on`, nothing is written while the server's commits wait for no standby. */
export class NotReplicatedError extends Error {
  override readonly name = 'NotReplicatedError'

  constructor() {
    super('DATABASE_REPLICATED is on, and PostgreSQL has no synchronous standby (synchronous_standby_names is empty)')
  }
}

/** What the query answers once the instances keep the books by another rule; after each name of a migration. */
const OTHER_BOOKS = '~ other books'

/** The other instances have changed who keeps the books, such as while this one was frozen: only a restart helps. */
export class OtherBooksError extends Error {
  override readonly name = 'OtherBooksError'

  constructor() {
    super('the other instances of this database have changed who keeps the ledger')
  }
}

export interface SchemaGuard {
  /**
   * From now on the database may have no migration after `last`.
   * @param replicated PostgreSQL must also wait for a standby
   */
  arm(last: string, replicated?: boolean): void
  /** From now on the database's stored number of who keeps the books must be this one. */
  keepTo(books: number): void
  /** The query that finds what forbids to write; null before `arm`. Its rows go to `check`. */
  readonly query: string | null
  /** The query that has a row if commits wait for no standby; null if they need not. */
  readonly standbyQuery: string | null
  /**
   * @throws NewerSchemaError if there is a newer migration; from then on `assertCurrent` throws it too
   * @throws NotReplicatedError while there is no synchronous standby
   * @throws OtherBooksError while the books are kept by another rule
   */
  check(rows: readonly { readonly name: string }[]): void
  /** @throws NewerSchemaError after `check` has found a newer schema: only a restart helps */
  assertCurrent(): void
}

/** Creates the guard of one open database. */
export function schemaGuard(): SchemaGuard {
  let parts: readonly string[] = []
  let books: string | null = null
  let standbyQuery: string | null = null
  let fault: NewerSchemaError | null = null
  const assertCurrent = (): void => {
    if (fault !== null) throw fault
  }
  return {
    arm(last, replicated = false) {
      const standby = `select '${NOT_REPLICATED}' as name where current_setting('synchronous_standby_names') = ''`
      standbyQuery = replicated ? standby : null
      const newer = `select name from schema_migrations where name > '${last}'`
      parts = replicated ? [newer, standby] : [newer]
    },
    keepTo(stored) {
      books = `select '${OTHER_BOOKS}' as name from reconciliation where name = 'books' and value <> ${stored}`
    },
    get query() {
      if (parts.length === 0) return null
      return `${[...parts, ...(books === null ? [] : [books])].join(' union all ')} order by name limit 1`
    },
    get standbyQuery() {
      return standbyQuery
    },
    check([newer]) {
      if (newer?.name === NOT_REPLICATED) throw new NotReplicatedError()
      if (newer?.name === OTHER_BOOKS) throw new OtherBooksError()
      if (newer !== undefined) fault ??= new NewerSchemaError(newer.name)
      assertCurrent()
    },
    assertCurrent,
  }
}
