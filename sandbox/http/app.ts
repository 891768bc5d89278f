import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import type { Context } from '../context.ts'
import { controlApi } from '../control/control-api.ts'
import { errorReply } from '../operations/reply.ts'
import { OPERATIONS } from '../operations/operation-table.ts'
import { pages } from '../pages/pages.ts'
import { gatewayCall } from './gateway-call.ts'
import { readIncoming } from './incoming.ts'
import type { RequestEnv, SandboxRequest } from './request-env.ts'
import { dateText, endCall, respond, respondJson } from './respond.ts'

/** The gateway's operations, below the base path. */
function operations(context: Context): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>()
  const refuse = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response => {
    const requestId = context.uuid()
    return respondJson(status, errorReply(status, message, requestId).body, { ...headers, 'x-request-id': requestId })
  }
  for (const operation of OPERATIONS) {
    const refuseMethod = (): Response => refuse(405, 'method not allowed', { allow: operation.method })
    // Hono runs the GET handler for a HEAD request; the gateway has no such operation.
    app.use(operation.path, async (c, next) => (c.var.incoming.method === 'HEAD' ? refuseMethod() : next()))
    app.on(operation.method, operation.path, async (c: SandboxRequest) => {
      const requestId = context.uuid()
      const outcome = await gatewayCall(operation, c.var.incoming, requestId, context)
      return endCall(c, outcome, requestId, context.now())
    })
    app.all(operation.path, refuseMethod)
  }
  app.all('/v1/*', () => refuse(404, 'not found'))
  return app
}

/** Every address of the sandbox. */
export function createApp(context: Context): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>()
  app.use(async (c, next) => {
    await next()
    c.header('date', dateText(context.now()))
  })
  app.use(async (c, next) => {
    const incoming = await readIncoming(c.env.incoming)
    if (!incoming) return respondJson(413, errorReply(413, 'the body is over 1 MiB', context.uuid()).body)
    c.set('incoming', incoming)
    return next()
  })
  app.route(context.basePath, operations(context))
  app.route('/', pages(context))
  app.route('/control', controlApi(context))
  app.notFound(() =>
    respond(
      404,
      { 'content-type': 'text/plain; charset=utf-8' },
      'This page does not exist. The control page is at /control.',
    ),
  )
  app.onError((error, c) => {
    if (c.env.outgoing.destroyed) return RESPONSE_ALREADY_SENT
    context.log(error.stack ?? error.message)
    return respondJson(500, errorReply(500, 'internal error', context.uuid()).body)
  })
  return app
}
