import type { IncomingMessage, ServerResponse } from 'node:http'
import { getApp } from '../app.ts'
import { browserLocale } from './accept-language.ts'
import type { PageRequest } from './page-gate.ts'
import { problemResponse } from './problem-response.ts'
import { writeResponse } from './write-response.ts'

export interface PageCall {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly page: Omit<PageRequest, 'cookieHeader'>
  /** The label in the log. */
  readonly route: string
}

/** Renders a page that the limits let through; else answers why not, as a page or to Next's client. */
export async function renderAdmitted(call: PageCall, render: () => Promise<void>): Promise<void> {
  const { request, response, requestId, page, route } = call
  const app = getApp()
  try {
    const { done } = await app.pageGate.admit({ ...page, cookieHeader: request.headers.cookie ?? null })
    if (response.closed) done()
    else response.once('close', done)
  } catch (error) {
    const problem = app.problemOf(error, requestId, route)
    const answer =
      request.headers['rsc'] === undefined
        ? app.staticPages.launchFailure(browserLocale(request.headers['accept-language'] ?? null), problem, requestId)
        : problemResponse(problem, requestId)
    await writeResponse(request, response, answer)
    return
  }
  await render()
}
