/** The cashier's calls to the merchant: authorization requests for withdrawals, and events of transactions. */
import { Webhook } from 'standardwebhooks'
import * as z from 'zod'

export type Decision = 'approve' | 'decline' | 'postpone' | 'silence'

const authorizationSchema = z.object({
  withdrawal_id: z.string(),
  user_reference_id: z.string(),
  amount: z.string(),
  currency: z.object({ id: z.string(), currency_code: z.string(), network: z.string() }),
  wallet_address: z.string(),
})
type AuthorizationRequest = z.infer<typeof authorizationSchema>

const eventSchema = z.object({ type: z.string(), timestamp: z.string(), data: z.record(z.string(), z.unknown()) })
type WebhookEvent = z.infer<typeof eventSchema>

interface CallbackResponse {
  readonly status: number
  readonly body: unknown
}

/** The state that tests and people read and set at `/qa`. */
interface CallbackState {
  decision: Decision
  userMessage: string | undefined
  /** Every authorization request, newest last. A repeated request is listed again. */
  readonly asked: (AuthorizationRequest & { readonly webhook_id: string; readonly decision: Decision })[]
  /** Events by `webhook-id`. A repeated delivery is counted, but not processed again. */
  readonly events: Map<string, WebhookEvent & { times: number }>
}

const RETENTION = 1000

export interface Callbacks {
  readonly state: CallbackState
  /** Null sends no response; the connection stays open. */
  authorize(raw: Buffer, headers: Record<string, string>): CallbackResponse | null
  receive(raw: Buffer, headers: Record<string, string>): CallbackResponse
}

export function createCallbacks(secret: string | undefined, decision: Decision): Callbacks {
  const state: CallbackState = { decision, userMessage: undefined, asked: [], events: new Map() }
  const verifier = secret === undefined ? undefined : new Webhook(secret)

  const verified = <T>(raw: Buffer, headers: Record<string, string>, schema: z.ZodType<T>): T | CallbackResponse => {
    if (!verifier) return { status: 501, body: { error: 'MERCHANT_WEBHOOK_SECRET is not set' } }
    try {
      const parsed = schema.safeParse(verifier.verify(raw, headers))
      return parsed.success ? parsed.data : { status: 400, body: { error: z.prettifyError(parsed.error) } }
    } catch (error) {
      return { status: 401, body: { error: error instanceof Error ? error.message : 'not verified' } }
    }
  }
  const isResponse = (value: object): value is CallbackResponse => 'status' in value && 'body' in value

  return {
    state,
    authorize(raw, headers) {
      const request = verified(raw, headers, authorizationSchema)
      if (isResponse(request)) return request
      const { decision, userMessage } = state
      state.asked.push({ ...request, webhook_id: headers['webhook-id'] ?? '', decision })
      if (state.asked.length > RETENTION) state.asked.shift()
      if (decision === 'silence') return null
      return { status: 200, body: { decision, ...(userMessage !== undefined && { user_message: userMessage }) } }
    },
    receive(raw, headers) {
      const event = verified(raw, headers, eventSchema)
      if (isResponse(event)) return event
      const id = headers['webhook-id'] ?? ''
      const known = state.events.get(id)
      if (known) known.times += 1
      else state.events.set(id, { ...event, times: 1 })
      const [oldest] = state.events.keys()
      if (state.events.size > RETENTION && oldest !== undefined) state.events.delete(oldest)
      return { status: 200, body: { received: true } }
    },
  }
}
