/** Every address of the demo shop. */
import { randomUUID } from 'node:crypto'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import * as z from 'zod'
import { CashierApiError, type CashierClient } from './cashier-client.ts'
import type { EventFeed } from './feed.ts'
import type { Callbacks } from './callbacks.ts'
import { BRAND, FLOWS } from './demo-data.ts'

export interface Shop {
  readonly client: CashierClient
  readonly feed: EventFeed
  readonly callbacks: Callbacks
  /** Content type and content by path. */
  readonly files: ReadonlyMap<string, readonly [type: string, content: string]>
  /** The shop's own origin. Users of a top-level session return to it. */
  readonly url: string
  /** Headers of every response but the test page. */
  readonly headers: Readonly<Record<string, string>>
}

const LARGEST_BODY = 64 * 1024

/** Any user. The shop has no sign-in, so that each test can use its own user. */
const user = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/)
const launchSchema = z.object({ user, flows: z.array(z.enum(FLOWS)).min(1) })
const purchaseSchema = z.object({ user, currency_id: z.string(), amount: z.string().regex(/^\d{1,9}(\.\d{1,9})?$/) })
const decideSchema = z.object({ withdrawal_id: z.string(), decision: z.enum(['approve', 'decline']) })
const settingSchema = z.object({
  decision: z.enum(['approve', 'decline', 'postpone', 'silence']).optional(),
  user_message: z.string().nullable().optional(),
})
const pageSchema = z.object({ html: z.string(), headers: z.record(z.string(), z.string()) })

const rawBody = async (c: Context): Promise<Buffer> => Buffer.from(await c.req.arrayBuffer())

/** Refuses pages of other origins. Another page could send a form here, but the browser adds its `Origin`. */
const sameOrigin = createMiddleware(async (c, next) => {
  const origin = c.req.header('origin')
  if (origin === undefined || origin === `http://${c.req.header('host') ?? ''}`) return next()
  return c.json({ detail: 'Only the shop’s own page may call this.' }, 403)
})

/** Calls of the shop's own page. */
function shopRoutes({ client, feed, callbacks, url }: Shop): Hono {
  const { state } = callbacks
  const app = new Hono()
  app.use(sameOrigin)
  app.post('/session', async (c) => {
    const { user: player, flows } = launchSchema.parse(await c.req.json())
    const session = { user_reference_id: player, flows, tokens: BRAND, return_url: `${url}/` }
    return c.json(await client.startSession(session), 201)
  })
  app.get('/overview', async (c) => {
    const player = user.parse(c.req.query('user'))
    const [balances, events] = await Promise.all([client.balances(player), feed()])
    const own = events.filter(({ data }) => data.user_reference_id === player)
    const waiting = state.asked.filter((one) => one.decision === 'postpone' && one.user_reference_id === player)
    return c.json({ balances, events: own.slice(-8).reverse(), waiting, news: state.events.size })
  })
  app.post('/purchase', async (c) => {
    const { user: player, currency_id, amount } = purchaseSchema.parse(await c.req.json())
    await client.adjust(player, { currency_id, amount: `-${amount}`, reference: `purchase-${randomUUID()}` })
    return c.json({}, 201)
  })
  app.post('/decide', async (c) => {
    const { withdrawal_id, decision } = decideSchema.parse(await c.req.json())
    await client.decide(withdrawal_id, decision, decision === 'decline' ? state.userMessage : undefined)
    const at = state.asked.findIndex((one) => one.withdrawal_id === withdrawal_id)
    const [asked] = at < 0 ? [] : state.asked.splice(at, 1)
    if (asked) state.asked.push({ ...asked, decision })
    return c.json({})
  })
  return app
}

/** Calls of the cashier. A signature covers the raw body, so the body is parsed only after verification. */
function callbackRoutes({ callbacks }: Shop): Hono {
  const app = new Hono()
  app.post('/authorize', async (c) => {
    const answer = callbacks.authorize(await rawBody(c), c.req.header())
    return answer ? Response.json(answer.body, { status: answer.status }) : RESPONSE_ALREADY_SENT
  })
  app.post('/webhook', async (c) => {
    const answer = callbacks.receive(await rawBody(c), c.req.header())
    return Response.json(answer.body, { status: answer.status })
  })
  return app
}

/** Opens the cashier as a top-level page for the user in the query. The cashier returns to the shop. */
async function openCashier(c: Context, { client, url }: Shop): Promise<Response> {
  const player = user.parse(c.req.query('user'))
  const session = { user_reference_id: player, flows: FLOWS, tokens: BRAND, account_label: player.slice(0, 60) }
  const { launch_url } = await client.startSession({ ...session, return_url: `${url}/` })
  return c.redirect(launch_url, 303)
}

/** For tests: the received calls, the answers to send, and any page in place of the shop's page. */
function testRoutes({ callbacks }: Shop): Hono {
  const { state } = callbacks
  let page: z.infer<typeof pageSchema> = { html: '', headers: {} }
  const app = new Hono()
  app.get('/', sameOrigin, (c) => {
    const { events, ...rest } = state
    return c.json({ ...rest, news: [...events].map(([webhook_id, event]) => ({ webhook_id, ...event })) })
  })
  app.post('/', sameOrigin, async (c) => {
    const { decision, user_message } = settingSchema.parse(await c.req.json())
    if (decision) state.decision = decision
    if (user_message !== undefined) state.userMessage = user_message ?? undefined
    return c.json({ decision: state.decision, user_message: state.userMessage ?? null })
  })
  app.post('/page', sameOrigin, async (c) => {
    page = pageSchema.parse(await c.req.json())
    return c.json({})
  })
  app.get('/page', (c) => c.html(page.html, 200, page.headers))
  return app
}

function errorResponse(c: Context, error: Error): Response {
  if (error instanceof CashierApiError) {
    return Response.json({ code: error.code, detail: error.message }, { status: error.status })
  }
  if (error instanceof z.ZodError) return c.json({ detail: z.prettifyError(error) }, 422)
  if (error instanceof SyntaxError) return c.json({ detail: 'Not JSON.' }, 400)
  return c.json({ detail: 'The cashier does not answer.' }, 502)
}

export function createApp(shop: Shop): Hono {
  const app = new Hono()
  app.use(async (c, next) => {
    await next()
    // A test page has the policies of its test instead of the shop's policies.
    const policies = c.req.path === '/qa/page' ? {} : shop.headers
    const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...policies }
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
  })
  app.use(bodyLimit({ maxSize: LARGEST_BODY, onError: (c) => c.json({ detail: 'body too large' }, 413) }))
  // Under another host name the page would have another origin, which may not embed the cashier.
  app.get('/', (c, next) => (c.req.header('host') === new URL(shop.url).host ? next() : c.redirect(shop.url, 307)))
  for (const [path, [type, content]] of shop.files) {
    app.get(path, (c) => c.body(content, 200, { 'content-type': type }))
  }
  app.get('/cashier', (c) => openCashier(c, shop))
  app.route('/shop', shopRoutes(shop))
  app.route('/merchant', callbackRoutes(shop))
  app.route('/qa', testRoutes(shop))
  app.notFound((c) => c.json({ detail: 'There is nothing at this address.' }, 404))
  app.onError((error, c) => errorResponse(c, error))
  return app
}
