/** Every address of the demo shop, as one table. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as z from 'zod'
import { CashierRefusal, type CashierClient } from './cashier-client.ts'
import type { createFeed } from './feed.ts'
import type { Hooks } from './hooks.ts'
import { isOwnPage, readBody, send, sendJson } from './http.ts'
import { BRAND } from './brand.ts'
import { FLOWS } from './players.ts'

export interface Shop {
  readonly client: CashierClient
  readonly feed: ReturnType<typeof createFeed>
  readonly hooks: Hooks
  /** Content type and content by path. */
  readonly files: ReadonlyMap<string, readonly [type: string, content: string | Uint8Array]>
  /** Where the cashier sends users of a top-level session back to. */
  readonly returnUrl: string
}

type Route = (request: IncomingMessage, response: ServerResponse, query: URLSearchParams) => Promise<void>

/** Any user: the shop asks nobody to sign in, so that tests can bring users of their own. */
const user = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/)
const launchSchema = z.object({ user, flows: z.array(z.enum(FLOWS)).min(1) })
const purchaseSchema = z.object({ user, currency_id: z.string(), amount: z.string().regex(/^\d{1,9}(\.\d{1,9})?$/) })
const decideSchema = z.object({ withdrawal_id: z.string(), decision: z.enum(['approve', 'decline']) })
const settingSchema = z.object({
  decision: z.enum(['approve', 'decline', 'postpone', 'silence']).optional(),
  user_message: z.string().nullable().optional(),
})

const pageSchema = z.object({ html: z.string(), headers: z.record(z.string(), z.string()) })

const jsonBody = async <T>(request: IncomingMessage, schema: z.ZodType<T>): Promise<T> =>
  schema.parse(JSON.parse((await readBody(request)).toString()))

/** Our own page's calls; those of other sites are refused. */
const own =
  (route: Route): Route =>
  async (request, response, query) => {
    if (isOwnPage(request)) await route(request, response, query)
    else sendJson(response, 403, { detail: 'Not from this page.' })
  }

/** Node joins repeated headers with a comma, which no signature survives. */
const flat = (request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))

function createRoutes({ client, feed, hooks, returnUrl }: Shop): Readonly<Record<string, Route>> {
  const { state } = hooks
  let page: z.infer<typeof pageSchema> = { html: '', headers: {} }
  return {
    'POST /shop/session': own(async (request, response) => {
      const { user: player, flows } = await jsonBody(request, launchSchema)
      const input = { user_reference_id: player, flows, tokens: BRAND, return_url: returnUrl }
      sendJson(response, 201, await client.startSession(input))
    }),
    'GET /shop/overview': own(async (_, response, query) => {
      const player = user.parse(query.get('user'))
      const [balances, events] = await Promise.all([client.balances(player), feed()])
      const theirs = events.filter(({ data }) => data.user_reference_id === player)
      const waiting = state.asked.filter((one) => one.decision === 'postpone' && one.user_reference_id === player)
      sendJson(response, 200, { balances, events: theirs.slice(-8).reverse(), waiting, news: state.news.size })
    }),
    'POST /shop/purchase': own(async (request, response) => {
      const { user: player, currency_id, amount } = await jsonBody(request, purchaseSchema)
      await client.adjust(player, { currency_id, amount: `-${amount}`, reference: `purchase-${randomUUID()}` })
      sendJson(response, 201, {})
    }),
    'POST /shop/decide': own(async (request, response) => {
      const { withdrawal_id, decision } = await jsonBody(request, decideSchema)
      await client.decide(withdrawal_id, decision, decision === 'decline' ? state.userMessage : undefined)
      const at = state.asked.findIndex((one) => one.withdrawal_id === withdrawal_id)
      const [asked] = at < 0 ? [] : state.asked.splice(at, 1)
      if (asked) state.asked.push({ ...asked, decision })
      sendJson(response, 200, {})
    }),
    'POST /merchant/authorize': async (request, response) => {
      const answer = hooks.authorize(await readBody(request), flat(request))
      if (answer) sendJson(response, answer.status, answer.body)
    },
    'POST /merchant/webhook': async (request, response) => {
      const answer = hooks.receive(await readBody(request), flat(request))
      sendJson(response, answer.status, answer.body)
    },
    'GET /qa': own(async (_, response) =>
      sendJson(response, 200, {
        ...state,
        news: [...state.news].map(([webhook_id, news]) => ({ webhook_id, ...news })),
      }),
    ),
    // Any page with any headers, in the place of a merchant's own: for tests of the script and the frame.
    'POST /qa/page': own(async (request, response) => {
      page = await jsonBody(request, pageSchema)
      sendJson(response, 200, {})
    }),
    'GET /qa/page': async (_, response) => {
      for (const name of response.getHeaderNames()) response.removeHeader(name)
      for (const [name, value] of Object.entries(page.headers)) response.setHeader(name, value)
      send(response, 200, 'text/html; charset=utf-8', page.html)
    },
    'POST /qa': own(async (request, response) => {
      const { decision, user_message } = await jsonBody(request, settingSchema)
      if (decision) state.decision = decision
      if (user_message !== undefined) state.userMessage = user_message ?? undefined
      sendJson(response, 200, { decision: state.decision, user_message: state.userMessage ?? null })
    }),
  }
}

function refuse(response: ServerResponse, error: unknown): void {
  if (error instanceof CashierRefusal) sendJson(response, error.status, { code: error.code, detail: error.message })
  else if (error instanceof z.ZodError) sendJson(response, 422, { detail: z.prettifyError(error) })
  else if (error instanceof SyntaxError) sendJson(response, 400, { detail: 'Not JSON.' })
  else if (error instanceof RangeError) sendJson(response, 413, { detail: error.message })
  else sendJson(response, 502, { detail: 'The cashier does not answer.' })
}

export function createListener(shop: Shop): (request: IncomingMessage, response: ServerResponse) => void {
  const routes = createRoutes(shop)
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop.invalid')
    const file = request.method === 'GET' ? shop.files.get(pathname) : undefined
    const route = routes[`${request.method ?? ''} ${pathname}`]
    if (file) send(response, 200, ...file)
    else if (route) route(request, response, searchParams).catch((error: unknown) => refuse(response, error))
    else sendJson(response, 404, { detail: 'Nothing here.' })
  }
}
