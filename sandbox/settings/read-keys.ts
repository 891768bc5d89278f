import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readPem } from './keys.ts'

const FORMATS = 'a PEM, a PEM with \\n written out, base64 of it, or file:PATH'

/** @throws RangeError that names the file */
export function readGivenFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
    throw new RangeError(`cannot be used: the file ${path} cannot be read${code}`, { cause })
  }
}

function readKey(given: string, kind: string, read: (pem: string) => KeyObject): KeyObject {
  if (given.startsWith('file:')) readGivenFile(given.slice('file:'.length))
  try {
    return read(readPem(given))
  } catch (cause) {
    throw new RangeError(`cannot be used: it must be ${kind}, given as ${FORMATS}`, { cause })
  }
}

/**
 * A public key, given in any format, as PEM.
 * @throws RangeError with the fault and the allowed forms
 */
export function readPublicKey(given: string): string {
  const kind = 'an RSA public key of at least 2048 bits'
  const key = readKey(given, kind, (pem) => createPublicKey(pem))
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (key.asymmetricKeyType !== 'rsa' || bits < 2048) throw new RangeError(`cannot be used: it must be ${kind}`)
  return key.export({ type: 'spki', format: 'pem' }).toString()
}

/**
 * A private key, given in any format, as PEM.
 * @throws RangeError with the fault and the allowed forms
 */
export function readPrivateKey(given: string): string {
  readKey(given, 'a private key without a passphrase', (pem) => createPrivateKey(pem))
  return readPem(given)
}
