import { createPublicKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import { ConformanceError } from './assertions.ts'
import { sendRequest } from './send-request.ts'

const stateSchema = z.looseObject({
  gateway_public_key: z.string(),
  modes: z.looseObject({}),
  merchants: z.array(
    z.looseObject({
      id: z.string(),
      api_key: z.string(),
      webhook_url: z.string().nullable(),
      allow_custom_external_wallet: z.boolean(),
    }),
  ),
})

export type ControlMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** The part of the sandbox's control API that the suite uses. */
export interface Control {
  readonly call: (method: ControlMethod, path: string, body?: unknown) => Promise<unknown>
  readonly merchant: { readonly id: string; readonly webhookUrl: string | null; readonly customWallets: boolean }
  readonly publicKey: KeyObject
  readonly modes: Readonly<Record<string, unknown>>
}

/** @throws ConformanceError when a control call fails */
export async function openControl(controlUrl: string, apiKey: string): Promise<Control> {
  const call = async (method: ControlMethod, path: string, body?: unknown): Promise<unknown> => {
    const text = method === 'GET' ? '' : JSON.stringify(body ?? {})
    const headers =
      text === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) }
    const answer = await sendRequest({ method, url: new URL(controlUrl + path), headers, body: text })
    if (answer.status !== 200)
      throw new ConformanceError(`control ${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`)
    return answer.json
  }
  const state = stateSchema.parse(await call('GET', '/state'))
  const merchant = state.merchants.find((one) => one.api_key === apiKey)
  if (!merchant) throw new ConformanceError('the sandbox has no merchant with this API key')
  return {
    call,
    merchant: {
      id: merchant.id,
      webhookUrl: merchant.webhook_url,
      customWallets: merchant.allow_custom_external_wallet,
    },
    publicKey: createPublicKey(state.gateway_public_key),
    modes: state.modes,
  }
}
