import { generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Signing } from '../state/webhooks.ts'

export interface WebhookHeaders {
  readonly 'x-signature': string
  readonly 'x-timestamp': string
  readonly 'x-algorithm': 'RSA-SHA256'
}

/** Age of the timestamp in a deliberately stale delivery. */
const STALE_SECONDS = 3600

let cachedOtherKey: KeyObject | null = null
const otherKey = (): KeyObject => (cachedOtherKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)

/** The text of `X-Timestamp`: UNIX seconds. */
export const timestampText = (nowMs: number, signing: Signing): string =>
  String(Math.floor(nowMs / 1000) - (signing === 'stale' ? STALE_SECONDS : 0))

/** RSA-SHA256 in Base64, computed off the main thread because it is the most expensive part of a delivery. */
function signatureOf(signed: Buffer, key: KeyObject): Promise<string> {
  return new Promise((resolve, reject) => {
    sign('sha256', signed, key, (error, signature) => {
      if (error) reject(error)
      else resolve(signature.toString('base64'))
    })
  })
}

/** Spec, Webhook authentication: RSA-SHA256 over the raw body followed by the timestamp text. */
export async function signWebhook(
  body: Buffer,
  timestamp: string,
  key: KeyObject,
  signing: Signing,
): Promise<WebhookHeaders> {
  const signed = Buffer.concat([body, Buffer.from(signing === 'wrong' ? `${timestamp}0` : timestamp)])
  const signature = await signatureOf(signed, signing === 'other_key' ? otherKey() : key)
  return { 'x-signature': signature, 'x-timestamp': timestamp, 'x-algorithm': 'RSA-SHA256' }
}
