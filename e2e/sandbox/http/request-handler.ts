import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from '../context.ts'
import { controlRequest } from '../control/control-request.ts'
import { OPERATIONS } from '../operations/table.ts'
import { refused } from '../operations/reply.ts'
import { pageRequest } from '../pages/page-request.ts'
import { gatewayCall } from './gateway-call.ts'
import { readIncoming } from './incoming.ts'
import type { Incoming } from './incoming.ts'
import { finish, respondJson } from './respond.ts'

async function answer(incoming: Incoming, response: ServerResponse, context: Context): Promise<void> {
  const { path, method } = incoming
  const requestId = context.uuid()
  if (path.startsWith('/control/')) {
    await controlRequest(incoming, response, context)
    return
  }
  if (!path.startsWith(`${context.basePath}/v1/`)) {
    await pageRequest(incoming, response, context)
    return
  }
  const named = OPERATIONS.filter((operation) => context.basePath + operation.path === path)
  const operation = named.find((candidate) => candidate.method === method)
  if (operation) {
    finish(response, await gatewayCall(operation, incoming, requestId, context), requestId)
    return
  }
  const [status, message] = named.length > 0 ? [405, 'method not allowed'] : [404, 'not found']
  respondJson(response, status, refused(status, message, requestId).body, { 'x-request-id': requestId })
}

/** One function for every request of the sandbox. */
export function requestHandler(context: Context): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const work = async (): Promise<void> => {
      const incoming = await readIncoming(request)
      if (incoming) await answer(incoming, response, context)
      else respondJson(response, 413, refused(413, 'the body is over 1 MiB', context.uuid()).body)
    }
    work().catch((error: unknown) => {
      if (response.destroyed || request.destroyed) return
      context.log(error instanceof Error ? (error.stack ?? error.message) : String(error))
      if (response.headersSent) response.destroy()
      else respondJson(response, 500, refused(500, 'internal error', context.uuid()).body)
    })
  }
}
