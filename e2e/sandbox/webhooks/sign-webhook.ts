import { generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Signing } from '../state/webhooks.ts'

export interface WebhookHeaders {
  readonly 'x-signature': string
  readonly 'x-timestamp': string
  readonly 'x-algorithm': 'RSA-SHA256'
}

/** How old a deliberately stale delivery says it is. */
const STALE_SECONDS = 3600

let strangerKey: KeyObject | null = null
const stranger = (): KeyObject => (strangerKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)

/** The text of `X-Timestamp`: UNIX seconds. */
export const timestampText = (nowMs: number, signing: Signing): string =>
  String(Math.floor(nowMs / 1000) - (signing === 'stale' ? STALE_SECONDS : 0))

/** RSA-SHA256 in Base64, made off the main thread: it is the dearest part of a delivery. */
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
  const signature = await signatureOf(signed, signing === 'other_key' ? stranger() : key)
  return { 'x-signature': signature, 'x-timestamp': timestamp, 'x-algorithm': 'RSA-SHA256' }
}
