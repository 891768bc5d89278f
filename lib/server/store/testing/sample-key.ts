import { createHash } from 'node:crypto'
import type { MerchantKeyRow } from '../types.ts'

/** The text of a key of the merchant API, of this one character. */
export const sampleKeyText = (character: string): string => `ck_${character.repeat(43)}`

/** A key with the text of `sampleKeyText(id)`. */
export const sampleKey = (
  id: string,
  more: Partial<MerchantKeyRow> = {},
): Omit<MerchantKeyRow, 'last_used_ms' | 'revoked_ms' | 'revoked_by'> => ({
  id,
  name: `shop ${id}`,
  scopes: ['read'],
  key_hash: createHash('sha256').update(sampleKeyText(id)).digest('hex'),
  shown: 'ck_123456',
  created_ms: 1000,
  created_by: 'Ann',
  ...more,
})
