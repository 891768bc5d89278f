import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

/** The reason why a key cannot be used. Never contains the key. */
export class KeyFault extends Error {
  override readonly name = 'KeyFault'
}

export type ReadTextFile = (path: string) => string

const BEGIN = '-----BEGIN '
const MIN_BITS = 2048

/**
 * The PEM text of a setting: PEM text, PEM text with `
 * ` for line breaks, its base64, or `file:` and a path.
 */
function pemText(setting: string, readFile: ReadTextFile): string {
  if (setting.startsWith('file:')) {
    let text: string
    try {
      text = readFile(setting.slice('file:'.length)).trim()
    } catch (error) {
      const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
      throw new KeyFault(`names a file that cannot be read (${reason})`)
    }
    if (!text.includes(BEGIN)) throw new KeyFault('names a file without a PEM block (-----BEGIN …)')
    return text
  }
  if (setting.startsWith(BEGIN)) return setting.replaceAll('\\r', '').replaceAll('\\n', '\n')
  const decoded = Buffer.from(setting, 'base64').toString('latin1').trim()
  if (decoded.startsWith(BEGIN)) return decoded
  throw new KeyFault('is no PEM: give PEM text, PEM text with \\n for line breaks, its base64, or file: and a path')
}

function strongEnough(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'rsa') throw new KeyFault(`is a key of type ${String(key.asymmetricKeyType)}, not RSA`)
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < MIN_BITS) throw new KeyFault(`has ${bits} bits: at least ${MIN_BITS} are required`)
  return key
}

/** The merchant's RSA key that signs our calls. @throws KeyFault */
export function readPrivateKey(setting: string, readFile: ReadTextFile): KeyObject {
  const pem = pemText(setting, readFile)
  if (pem.includes('PUBLIC KEY-----')) throw new KeyFault('is a public key: the private one is needed to sign')
  if (pem.includes('ENCRYPTED')) throw new KeyFault('is encrypted with a passphrase: store it without one')
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    throw new KeyFault('is PEM, but has no readable private key')
  }
  return strongEnough(key)
}

/** The gateway's RSA keys that sign its webhooks: one, or several during a rotation. @throws KeyFault */
export function readPublicKeys(setting: string, readFile: ReadTextFile): readonly KeyObject[] {
  const pem = pemText(setting, readFile)
  if (pem.includes('PRIVATE KEY-----')) throw new KeyFault('is a private key: only the public one is allowed')
  const blocks = pem.split(/(?=-----BEGIN )/).filter((block) => block.trim() !== '')
  return blocks.map((block) => {
    let key: KeyObject
    try {
      key = createPublicKey(block)
    } catch {
      throw new KeyFault('is PEM, but has no readable public key')
    }
    return strongEnough(key)
  })
}
