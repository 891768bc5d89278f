import { createHash, type KeyObject } from 'node:crypto'

/** The public half in DER. */
export const spki = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' })

/** Such as `SHA256:` and 44 characters of base64. */
export const fingerprint = (key: KeyObject): string =>
  `SHA256:${createHash('sha256').update(spki(key)).digest('base64')}`

/** The length of an RSA key's modulus in bits; 0 for other keys. */
export const keyBits = (key: KeyObject): number => key.asymmetricKeyDetails?.modulusLength ?? 0
