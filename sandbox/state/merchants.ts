import { createPublicKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import type { Database } from './database.ts'

/** A merchant as configured. `public_key` is PEM text. */
export interface MerchantSettings {
  readonly id: string
  readonly name: string
  readonly api_key: string
  readonly public_key: string
  readonly allow_custom_external_wallet: boolean
  readonly webhook_url: string | null
}

export interface Merchant extends Omit<MerchantSettings, 'public_key'> {
  readonly key: KeyObject
}

/** What can be changed while the sandbox runs. */
export const merchantChangesSchema = z.strictObject({
  allow_custom_external_wallet: z.boolean().optional(),
  webhook_url: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .optional(),
})

export type MerchantChanges = z.infer<typeof merchantChangesSchema>

export interface MerchantStore {
  readonly all: () => readonly Merchant[]
  readonly byId: (id: string) => Merchant | null
  readonly byApiKey: (apiKey: string) => Merchant | null
  readonly change: (id: string, changes: MerchantChanges) => Merchant | null
  readonly invalidate: () => void
}

const overrideName = (id: string): string => `merchant:${id}`

/** Merchants from the settings, with the changes since the last reset. */
export function openMerchants(database: Database, settings: readonly MerchantSettings[]): MerchantStore {
  const keys = new Map(settings.map((merchant) => [merchant.id, createPublicKey(merchant.public_key)]))
  let current: readonly Merchant[] | null = null
  const changesOf = (id: string): MerchantChanges => {
    const row = database.one('SELECT value_json FROM overrides WHERE name = ?', overrideName(id))
    return row ? merchantChangesSchema.parse(JSON.parse(String(row['value_json']))) : {}
  }
  const load = (): readonly Merchant[] =>
    settings.flatMap(({ public_key: _public_key, ...merchant }) => {
      const key = keys.get(merchant.id)
      const changes = changesOf(merchant.id)
      const {
        allow_custom_external_wallet = merchant.allow_custom_external_wallet,
        webhook_url = merchant.webhook_url,
      } = changes
      return key ? [{ ...merchant, key, allow_custom_external_wallet, webhook_url }] : []
    })
  const all = (): readonly Merchant[] => (current ??= load())
  const byId = (id: string): Merchant | null => all().find((merchant) => merchant.id === id) ?? null
  return {
    all,
    byId,
    byApiKey: (apiKey) => all().find((merchant) => merchant.api_key === apiKey) ?? null,
    change(id, changes) {
      if (!byId(id)) return null
      const value = JSON.stringify({ ...changesOf(id), ...changes })
      database.run(
        'INSERT INTO overrides VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value_json = excluded.value_json',
        overrideName(id),
        value,
      )
      current = null
      return byId(id)
    },
    invalidate() {
      current = null
    },
  }
}

/** Marks a merchant's nonce as used. False when it was used before, also before a restart. */
export function takeNonce(database: Database, merchantId: string, nonce: string, now: number): boolean {
  return database.run('INSERT OR IGNORE INTO nonces VALUES (?, ?, ?)', merchantId, nonce, now).changes === 1
}
