import { generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Signing } from '../state/webhooks.ts'

export interface WebhookHeaders {
  readonly 'X-Signature': string
  readonly 'X-Timestamp': string
  readonly 'X-Algorithm': 'RSA-SHA256'
}

/** How old a deliberately stale delivery says it is. */
const STALE_SECONDS = 3600

let strangerKey: KeyObject | null = null
const stranger = (): KeyObject => (strangerKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)

/** Spec, Webhook authentication: RSA-SHA256 over the raw body followed by the timestamp text. */
export function signWebhook(body: Buffer, nowMs: number, key: KeyObject, signing: Signing): WebhookHeaders {
  const seconds = Math.floor(nowMs / 1000) - (signing === 'stale' ? STALE_SECONDS : 0)
  const timestamp = String(seconds)
  const signed = Buffer.concat([body, Buffer.from(signing === 'wrong' ? `${timestamp}0` : timestamp)])
  const signature = sign('sha256', signed, signing === 'other_key' ? stranger() : key)
  return { 'X-Signature': signature.toString('base64'), 'X-Timestamp': timestamp, 'X-Algorithm': 'RSA-SHA256' }
}
