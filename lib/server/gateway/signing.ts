import { constants, sign, type KeyObject } from 'node:crypto'

/** Signs a canonical text; the result is standard Base64. */
export type Signer = (text: string) => Promise<string>

/** RSA-SHA256 with PKCS#1 v1.5. The callback form of `sign` works on the thread pool, not on the event loop. */
export function createSigner(key: KeyObject): Signer {
  return (text) =>
    new Promise((resolve, reject) => {
      sign(
        'RSA-SHA256',
        Buffer.from(text, 'utf8'),
        { key, padding: constants.RSA_PKCS1_PADDING },
        (error, signature) => {
          if (error) reject(error)
          else resolve(signature.toString('base64'))
        },
      )
    })
}
