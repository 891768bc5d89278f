import { z } from 'zod'
import { attemptSchema, webhookSchema } from '../state/webhooks.ts'
import type { AskSandbox } from './control-client.ts'

const logSchema = z.object({ webhooks: z.array(webhookSchema.extend({ log: z.array(attemptSchema) })) })

/** A webhook with its deliveries. */
export type WebhookLog = z.infer<typeof logSchema>['webhooks'][number]
export type Delivery = WebhookLog['log'][number]

/** Newest first. */
export async function readWebhooks(
  ask: AskSandbox,
  search: Readonly<Record<string, string | number>>,
): Promise<readonly WebhookLog[]> {
  const query = new URLSearchParams(Object.entries(search).map(([name, value]) => [name, String(value)])).toString()
  return logSchema.parse(await ask('GET', `/webhooks?${query}`)).webhooks
}

/** The receiver's answer in words. */
export const answerOf = ({ response_status: status, error, took_ms }: Delivery): string =>
  `${status === null ? `no answer (${error ?? 'unknown'})` : String(status)} in ${String(took_ms)} ms`
