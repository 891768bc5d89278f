import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { newMerchantKey, readMerchantKey } from './merchant-key.ts'

test('a new key has 256 random bits, and its own form', () => {
  const { key, hash, shown } = newMerchantKey((length) => Buffer.alloc(length, 0xff))
  expect([key, shown]).toEqual([`ck_${'_'.repeat(42)}8`, 'ck_______'])
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  expect(readMerchantKey(key)).toBe(hash)
  expect(newMerchantKey(randomBytes).key).not.toBe(newMerchantKey(randomBytes).key)
})
