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

/** Spec, Webhook authentication: RSA-SHA256 over the raw body followed by the timestamp text. */
export function signWebhook(body: Buffer, timestamp: string, key: KeyObject, signing: Signing): WebhookHeaders {
  const signed = Buffer.concat([body, Buffer.from(signing === 'wrong' ? `${timestamp}0` : timestamp)])
  const signature = sign('sha256', signed, signing === 'other_key' ? stranger() : key)
  return { 'x-signature': signature.toString('base64'), 'x-timestamp': timestamp, 'x-algorithm': 'RSA-SHA256' }
}
