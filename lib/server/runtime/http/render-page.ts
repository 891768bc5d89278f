import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '#lib/contract/problems.ts'
import { getApp } from '../app.ts'
import { browserLocale } from './accept-language.ts'
import type { Admission, PageRequest } from './page-gate.ts'
import { problemAnswer } from './problem-answer.ts'
import { writeAnswer } from './write-answer.ts'

export interface PageCall {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly page: Omit<PageRequest, 'cookieHeader'>
  /** The label in the log. */
  readonly route: string
}

/**
 * Renders a page that the limits admit. Small documents answer what needs no render: a page without its session, an
 * unknown page, or a refused page. Next's client then gets a problem, and loads the whole page.
 */
export async function renderAdmitted(call: PageCall, render: () => Promise<void>): Promise<void> {
  const { request, response, requestId } = call
  const admission = await admit(call)
  if (admission === null) return
  if (admission.shows === 'page') {
    if (response.closed) admission.done()
    else response.once('close', admission.done)
    await render()
    return
  }
  const { headers } = request
  if (isData(request)) {
    const code = admission.shows === 'not-found' ? 'not_found' : 'unauthenticated'
    await writeAnswer(request, response, problemAnswer(new Problem(code, 'Load the whole page.'), requestId))
    return
  }
  const { staticPages } = getApp()
  const locale = localeOf(request)
  // In a frame, the cookie may be missing because the browser blocks it.
  const blocked = admission.shows === 'no-session' && headers['sec-fetch-dest'] === 'iframe'
  const document =
    admission.shows === 'not-found'
      ? staticPages.notFound(locale, call.page.pathname)
      : staticPages.noSession(locale, blocked, admission.shows === 'ended' ? admission.wayBack : null)
  await writeAnswer(request, response, await document)
}

/** True if Next's client requests the data of a page. */
const isData = ({ headers }: IncomingMessage): boolean => headers['rsc'] !== undefined

const localeOf = ({ headers }: IncomingMessage) => browserLocale(headers['accept-language'] ?? null)

/** Null if the page was refused; the refusal is then answered. */
async function admit({ request, response, requestId, page, route }: PageCall): Promise<Admission | null> {
  const app = getApp()
  try {
    return await app.pageGate.admit({ ...page, cookieHeader: request.headers.cookie ?? null })
  } catch (error) {
    const problem = app.problemOf(error, requestId, route)
    const answer = isData(request)
      ? problemAnswer(problem, requestId)
      : await app.staticPages.launchFailure(localeOf(request), problem, requestId)
    await writeAnswer(request, response, answer)
    return null
  }
}
