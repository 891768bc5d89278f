import { Problem } from '#lib/contract/problems.ts'
import { browserLocale } from '#lib/server/runtime/http/accept-language.ts'
import { clientAddressKey } from '#lib/server/runtime/http/client-address.ts'
import { problemAnswer } from '#lib/server/runtime/http/problem-answer.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'

/** The merchant API as a page. It is the same for everybody, so that every cache may keep it. */
export const GET = handler(
  'docs',
  async ({ app, request: { headers }, client }) => {
    await app.rateLimits.take('pages', clientAddressKey(client))
    const page = app.staticPages.apiPage(headers.get('if-none-match'))
    if (page === null) throw new Problem('not_found', 'There is nothing here.')
    return page
  },
  {
    kind: 'document',
    present: (problem, { app, request, url, requestId }) =>
      problem.code === 'not_found'
        ? app.staticPages.notFound(browserLocale(request.headers.get('accept-language')), url.pathname)
        : problemAnswer(problem, requestId),
  },
)
export const HEAD = GET
