import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { fault, note, ok, type Finding } from './finding.ts'

const spki = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' })
const fingerprint = (key: KeyObject): string => `SHA256:${createHash('sha256').update(spki(key)).digest('base64')}`
const bits = (key: KeyObject): number => key.asymmetricKeyDetails?.modulusLength ?? 0

/** The keys fit their places; says by fingerprints which ones they are. */
export function checkKeys(config: Pick<Config, 'gateway' | 'sessionSecrets' | 'merchantApiKeys'>): readonly Finding[] {
  const { privateKey, publicKey, apiKey } = config.gateway
  const own = createPublicKey(privateKey)
  const found: Finding[] = [
    ok(
      'keys',
      `we sign with an RSA key of ${bits(privateKey)} bits; the gateway must have its public half ${fingerprint(own)}`,
    ),
  ]
  if (spki(own).equals(spki(publicKey))) {
    found.push(
      fault(
        'keys',
        'GATEWAY_PUBLIC_KEY is the public half of our own GATEWAY_PRIVATE_KEY: no webhook would pass',
        "put the gateway's public key there, from the Merchant Console",
      ),
    )
  } else found.push(ok('keys', `webhooks are verified by ${fingerprint(publicKey)}, ${bits(publicKey)} bits`))
  const secrets = [...config.sessionSecrets, ...config.merchantApiKeys, apiKey]
  if (new Set(secrets).size < secrets.length) {
    found.push(
      fault(
        'keys',
        'the same secret stands in two of SESSION_SECRET, MERCHANT_API_KEY and GATEWAY_API_KEY',
        'give each one of its own: `openssl rand -hex 32` makes one',
      ),
    )
  }
  if (config.sessionSecrets.length > 1 || config.merchantApiKeys.length > 1) {
    found.push(note('keys', 'a rotation is under way: take the old secrets out when nobody uses them any more'))
  }
  return found
}
