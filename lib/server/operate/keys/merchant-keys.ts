import type {
  MadeMerchantKey,
  MerchantKeysReply,
  MerchantKeyView,
  NewMerchantKeyRequest,
  RevokeMerchantKeyRequest,
} from '#lib/contract/operate/merchant-keys.ts'
import { Problem } from '#lib/contract/problems.ts'
import type { MerchantKeyRow, NewAuditEntry, Store } from '../../store/types.ts'

/** All active keys are compared at a call. */
const MOST_ACTIVE = 100

type Acting = NonNullable<NewAuditEntry['operator']>

export interface MerchantKeysOptions {
  readonly store: Pick<Store, 'merchantKeys' | 'transaction'>
  readonly newId: () => string
  /** The text of a new key, its hash, and the part of it by which a person knows it. */
  readonly newKey: () => { readonly key: string; readonly hash: string; readonly shown: string }
  /** Called after the keys have changed. */
  readonly onChanged: () => void
}

const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

const viewOf = (row: Omit<MerchantKeyRow, 'key_hash'>): MerchantKeyView => ({
  id: row.id,
  name: row.name,
  scopes: [...row.scopes],
  shown: row.shown,
  created_at: new Date(row.created_ms).toISOString(),
  created_by: row.created_by,
  last_used_at: timeOf(row.last_used_ms),
  revoked_at: timeOf(row.revoked_ms),
  revoked_by: row.revoked_by,
})

const notValid = (field: string, rule: string): Problem =>
  new Problem('invalid_request', `Not valid: ${field}.`, { errors: { [field]: [rule] } })

/** Keys of the merchant API are made, listed and revoked; each change and its audit entry are one commit. */
export function createMerchantKeys({ store, newId, newKey, onChanged }: MerchantKeysOptions) {
  return {
    async list(): Promise<MerchantKeysReply> {
      return { keys: (await store.merchantKeys.all()).map(viewOf) }
    },

    /** @throws Problem `invalid_request` if the name is taken, `conflict` if there are too many keys */
    async make(operator: Acting, { name, scopes }: NewMerchantKeyRequest): Promise<MadeMerchantKey> {
      const { key, hash, shown } = newKey()
      const item = await store.transaction(async (tx) => {
        if ((await tx.merchantKeys.active()).length >= MOST_ACTIVE)
          throw new Problem('conflict', `There are ${String(MOST_ACTIVE)} keys already. Revoke one first.`)
        const row = { id: newId(), name, scopes, key_hash: hash, shown, created_ms: tx.now, created_by: operator.name }
        if (!(await tx.merchantKeys.add(row))) throw notValid('name', 'is the name of another key, maybe a revoked one')
        await tx.audit.append(
          { operator, action: 'key.make', about: { kind: 'key', id: row.id }, detail: { name, scopes } },
          tx.now,
        )
        return viewOf({ ...row, last_used_ms: null, revoked_ms: null, revoked_by: null })
      })
      onChanged()
      return { key, item }
    },

    /** @throws Problem `not_found`, `conflict` if it was revoked before, `invalid_request` for another name */
    async revoke(operator: Acting, id: string, { name, reason }: RevokeMerchantKeyRequest): Promise<void> {
      await store.transaction(async (tx) => {
        const key = (await tx.merchantKeys.all()).find((one) => one.id === id)
        if (key === undefined) throw new Problem('not_found', 'There is no such key.')
        if (key.name !== name) throw notValid('name', 'is not the name of this key')
        if (!(await tx.merchantKeys.revoke(id, operator.name, tx.now)))
          throw new Problem('conflict', `${key.revoked_by ?? 'Somebody'} has revoked this key before.`)
        await tx.audit.append(
          { operator, action: 'key.revoke', about: { kind: 'key', id }, reason: reason ?? null, detail: { name } },
          tx.now,
        )
      })
      onChanged()
    },
  }
}
