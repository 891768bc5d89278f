import { Hono } from 'hono'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { headerOf, jsonObject } from '../http/incoming.ts'
import type { Incoming } from '../http/incoming.ts'
import type { RequestEnv } from '../http/request-env.ts'
import { respondJson } from '../http/respond.ts'
import { HttpError } from '../http/http-error.ts'
import { fieldErrors } from '../operations/reply.ts'
import { CONTROL_ROUTES } from './routes.ts'

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/**
 * The control API has no password, so a foreign page must not reach it through the user's browser. A body must be
 * JSON, which needs a preflight that is never granted. An `Origin` must be the sandbox's own, with a host name
 * that other people cannot resolve to this machine (DNS rebinding).
 */
function isForeign(incoming: Incoming, context: Context): boolean {
  const origin = headerOf(incoming, 'origin')
  if (origin === '') return false
  if (!URL.canParse(origin)) return true
  const { host, hostname } = new URL(origin)
  return host !== headerOf(incoming, 'host') || ![...LOOPBACK, new URL(context.origin).hostname].includes(hostname)
}

function inputOf(incoming: Incoming): Readonly<Record<string, unknown>> {
  if (incoming.method === 'GET') return Object.fromEntries(new URLSearchParams(incoming.query))
  if (incoming.body.length > 0 && !/^application\/json\b/i.test(headerOf(incoming, 'content-type'))) {
    throw new HttpError(422, 'the content type must be application/json')
  }
  const body = jsonObject(incoming)
  if (!body) throw new HttpError(422, 'the body is not a JSON object')
  return body
}

const failure = (status: number, message: string, more: object = {}): Response =>
  respondJson(status, { error: true, message, ...more })

/** `/control/...`, JSON in and out: 200; 403 for a foreign page, 404, 409 if the state does not allow the step, 422. */
export function controlApi(context: Context): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>()
  app.use(async (c, next) =>
    isForeign(c.var.incoming, context)
      ? failure(
          403,
          'only pages of this sandbox may use the control API; set SANDBOX_PUBLIC_URL if the sandbox has another address',
        )
      : next(),
  )
  for (const route of CONTROL_ROUTES) {
    app.on(route.method, route.path, async (c) => {
      const params = c.req.param() as Readonly<Record<string, string>>
      const result = context.database.atomically(() => route.run(inputOf(c.var.incoming), params, context))
      return respondJson(200, await result)
    })
  }
  app.all('*', () => failure(404, 'no such control route; GET /control/routes lists them'))
  app.onError((error) => {
    if (error instanceof HttpError) return failure(error.status, error.message)
    if (error instanceof z.ZodError) return failure(422, 'validation failed', { errors: fieldErrors(error) })
    throw error
  })
  return app
}
