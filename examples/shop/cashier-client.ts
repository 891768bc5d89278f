/** The merchant's calls to the cashier. Only the backend makes them: the API key must not reach a browser. */
import * as z from 'zod'

const sessionSchema = z.object({
  session_id: z.string(),
  launch_token: z.string(),
  launch_url: z.string(),
  expires_at: z.string(),
})
export type Session = z.infer<typeof sessionSchema>

const balancesSchema = z.object({
  balances: z.array(
    z.object({
      currency_id: z.string(),
      currency_code: z.string(),
      network: z.string(),
      available: z.string(),
      held: z.string(),
    }),
  ),
})
export type Balances = z.infer<typeof balancesSchema>['balances']

const eventsSchema = z.object({
  events: z.array(
    z.object({
      cursor: z.string(),
      type: z.string(),
      created_at: z.string(),
      data: z.looseObject({
        user_reference_id: z.string().nullish(),
        kind: z.string(),
        status: z.string(),
        amount: z.string().nullable(),
        currency_code: z.string(),
        network: z.string(),
        source: z.string().optional(),
      }),
    }),
  ),
  next_cursor: z.string(),
})
export type Events = z.infer<typeof eventsSchema>

const problemSchema = z.looseObject({ code: z.string(), detail: z.string() })

/** An error response of the cashier, with its `status` and `code`. */
export class CashierApiError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, detail: string) {
    super(detail)
    this.name = 'CashierApiError'
    this.status = status
    this.code = code
  }
}

export interface CashierClient {
  startSession(input: Readonly<Record<string, unknown>>): Promise<Session>
  endSession(sessionId: string): Promise<void>
  balances(user: string): Promise<Balances>
  events(after: string | null): Promise<Events>
  adjust(user: string, input: { currency_id: string; amount: string; reference: string }): Promise<void>
  decide(withdrawalId: string, decision: 'approve' | 'decline', userMessage?: string): Promise<void>
}

/** Every call throws a `CashierApiError`, or the error of `fetch` when the cashier cannot be reached. */
export function createCashierClient(
  cashierUrl: string,
  apiKey: string,
  fetchImpl: typeof fetch = fetch,
): CashierClient {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetchImpl(`${cashierUrl}/api/merchant/${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    })
    const answer: unknown = response.status === 204 ? null : await response.json().catch(() => null)
    if (response.ok) return answer
    const problem = problemSchema.safeParse(answer)
    const { code, detail } = problem.success
      ? problem.data
      : { code: 'unreadable', detail: 'the answer is not JSON of the expected shape' }
    throw new CashierApiError(response.status, code, detail)
  }
  const segment = encodeURIComponent

  return {
    startSession: async (input) => sessionSchema.parse(await call('POST', 'sessions', input)),
    endSession: async (sessionId) => {
      await call('DELETE', `sessions/${segment(sessionId)}`)
    },
    balances: async (user) => balancesSchema.parse(await call('GET', `users/${segment(user)}/balances`)).balances,
    events: async (after) =>
      eventsSchema.parse(await call('GET', `events?limit=1000${after === null ? '' : `&after=${segment(after)}`}`)),
    adjust: async (user, input) => {
      await call('POST', `users/${segment(user)}/adjustments`, input)
    },
    decide: async (id, decision, userMessage) => {
      const message = userMessage === undefined ? {} : { user_message: userMessage }
      await call('POST', `withdrawals/${segment(id)}/authorization`, { decision, ...message })
    },
  }
}
