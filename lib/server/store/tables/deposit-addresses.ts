import type { Kysely } from 'kysely'
import type { DepositAddress } from '#lib/contract/cashier.ts'
import { compiledOnce } from '../database/compiled-once.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { insertRows, selectByKeys } from '../database/multi-row.ts'
import { pipelined } from '../database/pipelined.ts'
import type { DepositAddressesTable, Tables } from '../database/schema.ts'

/** An address that the gateway gave for a user and currency. */
export type NewDepositAddress = DepositAddressesTable

const KEY = ['user_reference_id', 'currency_id'] as const

/** Two groups with the same keys must not wait for each other. */
const inOrderOfKeys = (rows: readonly NewDepositAddress[]): readonly NewDepositAddress[] =>
  [...rows].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))

const keyOf = (row: Pick<NewDepositAddress, (typeof KEY)[number]>): string =>
  JSON.stringify(KEY.map((name) => row[name]))

export const depositAddressesOf = (db: Kysely<Tables>, flavour: Flavour) => {
  const insert = insertRows<NewDepositAddress>(
    flavour,
    'deposit_addresses',
    {
      ...{ user_reference_id: 'text', currency_id: 'text', address: 'text', currency: 'text', network: 'text' },
      created_ms: 'bigint',
    },
    'keep',
    KEY,
  )
  const byKeys = selectByKeys<NewDepositAddress>(flavour, 'deposit_addresses', KEY)
  const byKey = compiledOnce(db, () =>
    db
      .selectFrom('deposit_addresses')
      .select(['address', 'currency', 'network'])
      .where('user_reference_id', '=', '')
      .where('currency_id', '=', ''),
  )
  return {
    async find(user: string, currencyId: string): Promise<DepositAddress | null> {
      const [row] = await byKey(user, currencyId)
      return row ?? null
    },

    async ofUser(user: string): Promise<readonly DepositAddress[]> {
      return db
        .selectFrom('deposit_addresses')
        .select(['address', 'currency', 'network'])
        .where('user_reference_id', '=', user)
        .execute()
    },

    /**
     * Stores each address unless one is stored for its user and currency; a stored address does not change. Returns the
     * stored ones, in the order of `rows`.
     */
    saveFirst(rows: readonly NewDepositAddress[]): Promise<readonly DepositAddress[]> {
      return pipelined(db, async (runner) => {
        const [, stored] = await Promise.all([
          insert(runner, inOrderOfKeys(rows)),
          byKeys(
            runner,
            rows.map((row) => KEY.map((name) => row[name])),
          ),
        ])
        const known = new Map(stored.map((row) => [keyOf(row), row]))
        return rows.map((row) => {
          const { address, currency, network } = known.get(keyOf(row)) ?? row
          return { address, currency, network }
        })
      })
    },

    /** Deletes all addresses of currencies whose ids now mean another code or network. */
    async deleteOf(currencyIds: readonly string[]): Promise<void> {
      if (currencyIds.length === 0) return
      await db.deleteFrom('deposit_addresses').where('currency_id', 'in', currencyIds).execute()
    },
  }
}
