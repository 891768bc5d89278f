/** The text of a key of the merchant API: `ck_` and 256 random bits in base64url. Only its hash is stored. */
import { createHash } from 'node:crypto'

const FORM = /^ck_[A-Za-z0-9_-]{43}$/
const SHOWN_CHARACTERS = 9

export interface NewKeyText {
  /** Shown once. */
  readonly key: string
  /** SHA-256, hexadecimal. */
  readonly hash: string
  /** The first characters, by which a person knows the key again. */
  readonly shown: string
}

const hashMerchantKey = (key: string): string => createHash('sha256').update(key).digest('hex')

/** Null for a text that is no such key. */
export const readMerchantKey = (text: string): string | null => (FORM.test(text) ? hashMerchantKey(text) : null)

export function newMerchantKey(randomBytes: (length: number) => Buffer): NewKeyText {
  const key = `ck_${randomBytes(32).toString('base64url')}`
  return { key, hash: hashMerchantKey(key), shown: key.slice(0, SHOWN_CHARACTERS) }
}
