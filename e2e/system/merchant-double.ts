/** A merchant's backend with responses set by the test, which records its requests. */
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono, type Context } from 'hono'
import { Webhook } from 'standardwebhooks'
import { type LocalServer, serveLocally } from '../fixtures/serve-locally.ts'

export interface MerchantRequest {
  readonly webhookId: string
  readonly body: Readonly<Record<string, unknown>>
  /** False when the signature is not the cashier's. */
  readonly authentic: boolean
  /** Present if the cashier records traces. */
  readonly traceparent?: string
}

interface Env {
  Bindings: HttpBindings
}
export type Responder = (c: Context<Env>) => Response | Promise<Response>

export interface MerchantDouble extends LocalServer {
  readonly requests: readonly MerchantRequest[]
  /** Sets its response from now on. */
  respondWith(responder: Responder): void
}

export const json =
  (body: object, status = 200): Responder =>
  () =>
    Response.json(body, { status })

/** The connection stays open and no response comes. */
export const noResponse: Responder = () => RESPONSE_ALREADY_SENT

export const cutConnection: Responder = (c) => {
  c.env.outgoing.destroy()
  return RESPONSE_ALREADY_SENT
}

/** @param secret returns the `whsec_` secret; called when a request comes */
export async function startMerchantDouble(secret: () => string): Promise<MerchantDouble> {
  const requests: MerchantRequest[] = []
  let responder: Responder = json({})

  const isAuthentic = (headers: Record<string, string>, body: string): boolean => {
    try {
      new Webhook(secret()).verify(body, headers)
      return true
    } catch {
      return false
    }
  }
  const app = new Hono<Env>()
  app.all('*', async (c) => {
    const body = await c.req.text()
    const traceparent = c.req.header('traceparent')
    requests.push({
      webhookId: c.req.header('webhook-id') ?? '',
      body: JSON.parse(body) as Record<string, unknown>,
      authentic: isAuthentic(c.req.header(), body),
      ...(traceparent !== undefined && { traceparent }),
    })
    return responder(c)
  })
  return {
    ...(await serveLocally(app)),
    requests,
    respondWith(next) {
      responder = next
    },
  }
}
