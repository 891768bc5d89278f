import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** PEM texts of a new RSA pair of 2048 bits. */
export function makeKeyPair(): { readonly privateKey: string; readonly publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  return { privateKey, publicKey }
}

export interface StoredKeys {
  readonly privateKey: string
  readonly publicKey: string
  readonly privatePath: string
  readonly publicPath: string
}

/** The key pair of this name in the folder. It is created the first time. */
export function loadOrCreateKeys(folder: string, name: string): StoredKeys {
  const privatePath = join(folder, `${name}.private.pem`)
  const publicPath = join(folder, `${name}.public.pem`)
  if (!existsSync(privatePath) || !existsSync(publicPath)) {
    const pair = makeKeyPair()
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(privatePath, pair.privateKey, { mode: 0o600 })
    writeFileSync(publicPath, pair.publicKey)
  }
  return {
    privateKey: readFileSync(privatePath, 'utf8'),
    publicKey: readFileSync(publicPath, 'utf8'),
    privatePath,
    publicPath,
  }
}

/** The PEM text from one of its forms: the text itself, with `\n` written out, in base64, or `file:` and a path. */
export function readPem(given: string): string {
  if (given.startsWith('file:')) return readFileSync(given.slice('file:'.length), 'utf8')
  if (given.includes('-----BEGIN')) return given.replaceAll('\\n', '\n')
  return Buffer.from(given, 'base64').toString('utf8')
}
