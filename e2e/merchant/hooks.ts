/** What the merchant answers when the cashier calls: may this be withdrawn, and has this news arrived. */
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
export type Authorization = z.infer<typeof authorizationSchema>

const newsSchema = z.object({ type: z.string(), timestamp: z.string(), data: z.record(z.string(), z.unknown()) })
export type News = z.infer<typeof newsSchema>

export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** What a test or a person may read and set. */
export interface HookState {
  decision: Decision
  userMessage: string | undefined
  /** Every request that was asked, newest last; an asker that repeats itself stands here as often. */
  readonly asked: (Authorization & { readonly webhook_id: string; readonly decision: Decision })[]
  /** News by `webhook-id`: what came again is counted and not taken twice. */
  readonly news: Map<string, News & { times: number }>
}

const KEEP = 1000

export function createHooks(secret: string | undefined, first: Decision) {
  const state: HookState = { decision: first, userMessage: undefined, asked: [], news: new Map() }
  const verifier = secret === undefined ? undefined : new Webhook(secret)

  const verified = <T>(raw: Buffer, headers: Record<string, string>, schema: z.ZodType<T>): T | Answer => {
    if (!verifier) return { status: 501, body: { error: 'MERCHANT_WEBHOOK_SECRET is not set' } }
    try {
      const parsed = schema.safeParse(verifier.verify(raw, headers))
      return parsed.success ? parsed.data : { status: 400, body: { error: z.prettifyError(parsed.error) } }
    } catch (error) {
      return { status: 401, body: { error: error instanceof Error ? error.message : 'not verified' } }
    }
  }
  const isAnswer = (value: object): value is Answer => 'status' in value && 'body' in value

  return {
    state,
    /** Null: no answer at all, the connection is left hanging. */
    authorize: (raw: Buffer, headers: Record<string, string>): Answer | null => {
      const request = verified(raw, headers, authorizationSchema)
      if (isAnswer(request)) return request
      const { decision, userMessage } = state
      state.asked.push({ ...request, webhook_id: headers['webhook-id'] ?? '', decision })
      if (state.asked.length > KEEP) state.asked.shift()
      if (decision === 'silence') return null
      return { status: 200, body: { decision, ...(userMessage !== undefined && { user_message: userMessage }) } }
    },
    receive: (raw: Buffer, headers: Record<string, string>): Answer => {
      const news = verified(raw, headers, newsSchema)
      if (isAnswer(news)) return news
      const id = headers['webhook-id'] ?? ''
      const known = state.news.get(id)
      if (known) known.times += 1
      else state.news.set(id, { ...news, times: 1 })
      const [oldest] = state.news.keys()
      if (state.news.size > KEEP && oldest !== undefined) state.news.delete(oldest)
      return { status: 200, body: { received: true } }
    },
  }
}
export type Hooks = ReturnType<typeof createHooks>
