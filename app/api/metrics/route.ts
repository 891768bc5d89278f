import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { TextAnswer } from '#lib/server/runtime/http/answer.ts'

/** Prometheus text. */
export const GET = handler('metrics', async ({ app, request }) => {
  app.requireMetricsToken(request.headers)
  const text = await app.metrics.text()
  const headers = { 'content-type': app.metrics.contentType, 'cache-control': 'no-store' }
  return new TextAnswer(text, { status: 200, headers })
})
export const HEAD = GET
