import type { Kysely, Selectable } from 'kysely'
import { MERCHANT_SCOPES, type MerchantScope } from '#lib/contract/merchant-scopes.ts'
import type { MerchantKeysTable, Tables } from '../database/schema.ts'

export type MerchantKeyRow = Omit<Selectable<MerchantKeysTable>, 'scopes' | 'name_key'> & {
  readonly scopes: readonly MerchantScope[]
}
/** A key that was not revoked. */
export type ActiveMerchantKey = Pick<MerchantKeyRow, 'id' | 'name' | 'scopes' | 'key_hash' | 'last_used_ms'>
export type NewMerchantKey = Omit<MerchantKeyRow, 'last_used_ms' | 'revoked_ms' | 'revoked_by'>

/** Only `add` writes the column. */
const scopesIn = (text: string): readonly MerchantScope[] => {
  const names = JSON.parse(text) as readonly string[]
  return MERCHANT_SCOPES.filter((scope) => names.includes(scope))
}

/** Names are the same in any case. */
const nameKey = (name: string): string => name.toLowerCase()

/** Keys of the merchant API that were made in the console. Rows stay: `settled_by` names keys for ever. */
export const merchantKeysOf = (db: Kysely<Tables>) => ({
  /** False if the name is taken, also by a revoked key. */
  async add({ scopes, ...key }: NewMerchantKey): Promise<boolean> {
    const added = await db
      .insertInto('merchant_keys')
      .values({
        ...key,
        name_key: nameKey(key.name),
        scopes: JSON.stringify(scopes),
        last_used_ms: null,
        revoked_ms: null,
        revoked_by: null,
      })
      .onConflict((conflict) => conflict.column('name_key').doNothing())
      .executeTakeFirst()
    return (added.numInsertedOrUpdatedRows ?? 0n) > 0n
  },

  async active(): Promise<readonly ActiveMerchantKey[]> {
    const rows = await db
      .selectFrom('merchant_keys')
      .select(['id', 'name', 'scopes', 'key_hash', 'last_used_ms'])
      .where('revoked_ms', 'is', null)
      .execute()
    return rows.map(({ scopes, ...key }) => ({ ...key, scopes: scopesIn(scopes) }))
  },

  /** Newest first. */
  async all(): Promise<readonly MerchantKeyRow[]> {
    const rows = await db.selectFrom('merchant_keys').selectAll().orderBy('created_ms', 'desc').orderBy('id').execute()
    return rows.map(({ scopes, name_key: _, ...key }) => ({ ...key, scopes: scopesIn(scopes) }))
  },

  /** False if there is no such key, or it was revoked before. */
  async revoke(id: string, by: string, now: number): Promise<boolean> {
    const revoked = await db
      .updateTable('merchant_keys')
      .set({ revoked_ms: now, revoked_by: by })
      .where('id', '=', id)
      .where('revoked_ms', 'is', null)
      .executeTakeFirst()
    return revoked.numUpdatedRows > 0n
  },

  /** Stores a use, unless one after `since_ms` is stored. */
  async use(id: string, now: number, since_ms: number): Promise<void> {
    await db
      .updateTable('merchant_keys')
      .set({ last_used_ms: now })
      .where('id', '=', id)
      .where((where) => where.or([where('last_used_ms', 'is', null), where('last_used_ms', '<=', since_ms)]))
      .execute()
  },
})
