import type { NameKind, RowUser } from '../../ledger/row-users.ts'
import { NO_USER } from '../../ledger/row-users.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { selectByKeys } from '../database/multi-row.ts'
import type { StatementRunner } from '../database/pipelined.ts'

/** Under which user the rows of some names stand. */
export class RowUsers {
  readonly #users = new Map<string, string>()

  constructor(rows: readonly RowUser[] = []) {
    for (const { kind, name, user_reference_id } of rows) this.#users.set(`${kind} ${name}`, user_reference_id)
  }

  /** The key of the rows of each name that has any: the user, then the name. */
  keys(kinds: readonly NameKind[], names: Iterable<string>): readonly (readonly [user: string, name: string])[] {
    const keys = [...names].flatMap((name) =>
      kinds.flatMap((kind) => {
        const user = this.#users.get(`${kind} ${name}`)
        return user === undefined ? [] : [[user, name] as const]
      }),
    )
    return [...new Map(keys.map((key) => [key.join(' '), key])).values()]
  }

  /** The users who have rows of these names. */
  get users(): readonly string[] {
    return [...new Set(this.#users.values())].filter((user) => user !== NO_USER)
  }
}

/** Finds the users of names, of every kind, with one statement. */
export function rowUsersOf(flavour: Flavour): (db: StatementRunner, names: Iterable<string>) => Promise<RowUsers> {
  const byName = selectByKeys<RowUser>(flavour, 'row_users', ['name'])
  return async (db, names) =>
    new RowUsers(
      await byName(
        db,
        [...new Set(names)].map((name) => [name]),
      ),
    )
}

/** A row in which null stands for no user. */
export const withUser = <Row extends { readonly user_reference_id: string }>(
  row: Row,
): Omit<Row, 'user_reference_id'> & { user_reference_id: string | null } => ({
  ...row,
  user_reference_id: row.user_reference_id === NO_USER ? null : row.user_reference_id,
})
