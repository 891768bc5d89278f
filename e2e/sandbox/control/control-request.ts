import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { headerOf, jsonObject } from '../http/incoming.ts'
import type { Incoming } from '../http/incoming.ts'
import { respondJson } from '../http/respond.ts'
import { Refusal } from '../lifecycle/refusal.ts'
import { fieldErrors } from '../operations/reply.ts'
import { paramsOf } from './route.ts'
import { CONTROL_ROUTES } from './routes.ts'

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/**
 * There is no password on the control routes, so a foreign page must not reach them through the user's
 * browser: a body has to be JSON (which needs a preflight that is never granted), and an Origin has to be
 * the page's own, under a name that nobody else can point at this machine.
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
    throw new Refusal(422, 'the content type must be application/json')
  }
  const body = jsonObject(incoming)
  if (!body) throw new Refusal(422, 'the body is not a JSON object')
  return body
}

/** Answers `/control/...` with JSON: 200, 403 for a foreign page, 404, 409 for a step the state does not allow, 422. */
export async function controlRequest(incoming: Incoming, response: ServerResponse, context: Context): Promise<void> {
  const failed = (status: number, message: string, more: object = {}): void => {
    respondJson(response, status, { error: true, message, ...more })
  }
  if (isForeign(incoming, context)) {
    failed(403, 'control is for pages of this sandbox only; SANDBOX_PUBLIC_URL names another address of it')
    return
  }
  for (const route of CONTROL_ROUTES) {
    const params = route.method === incoming.method ? paramsOf(route.path, incoming.path) : null
    if (!params) continue
    try {
      const result = context.database.atomically(() => route.run(inputOf(incoming), params, context))
      respondJson(response, 200, await result)
    } catch (error) {
      if (error instanceof Refusal) failed(error.status, error.message)
      else if (error instanceof z.ZodError) failed(422, 'validation failed', { errors: fieldErrors(error) })
      else throw error
    }
    return
  }
  failed(404, 'no such control route; GET /control/routes lists them')
}
