import { createPublicKey } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { fault, note, ok, type Finding } from './finding.ts'
import { fingerprint, keyBits, spki } from './fingerprint.ts'

/** Checks that each key is the right one, and shows the fingerprints. */
export function checkKeys(
  config: Pick<
    Config,
    'gateway' | 'gatewayMerchantReference' | 'sessionSecrets' | 'merchantApiKeys' | 'merchantWebhookSecrets'
  >,
): readonly Finding[] {
  const { privateKey, publicKeys, apiKey } = config.gateway
  const own = createPublicKey(privateKey)
  const found: Finding[] = [
    ok(
      'keys',
      `we sign with an RSA key of ${keyBits(privateKey)} bits; the gateway must have its public half ${fingerprint(own)}`,
    ),
  ]
  if (publicKeys.some((key) => spki(own).equals(spki(key)))) {
    found.push(
      fault(
        'keys',
        'GATEWAY_PUBLIC_KEY is the public half of our own GATEWAY_PRIVATE_KEY: no webhook could be verified',
        "set it to the gateway's public key from the Merchant Console",
      ),
    )
  } else {
    for (const key of publicKeys)
      found.push(ok('keys', `webhooks are verified by ${fingerprint(key)}, ${keyBits(key)} bits`))
  }
  const { gatewayMerchantReference: reference } = config
  found.push(
    reference === null
      ? note(
          'keys',
          'GATEWAY_MERCHANT_REFERENCE is not set: a deposit is credited only once the list of the gateway shows it, a second or two after its webhook',
        )
      : ok('keys', `webhooks of deposits and payouts must be for the merchant ${reference}`),
  )
  const secrets = [...config.sessionSecrets, ...config.merchantApiKeys, apiKey]
  if (new Set(secrets).size < secrets.length) {
    found.push(
      fault(
        'keys',
        'two of SESSION_SECRET, MERCHANT_API_KEY and GATEWAY_API_KEY have the same value',
        'use a different secret for each: `openssl rand -hex 32` creates one',
      ),
    )
  }
  const rotating = [config.sessionSecrets, config.merchantApiKeys, config.merchantWebhookSecrets, publicKeys]
  if (rotating.some((list) => list.length > 1)) {
    found.push(note('keys', 'a rotation is under way: remove the old secrets once nobody uses them'))
  }
  return found
}
