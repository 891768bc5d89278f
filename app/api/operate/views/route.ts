import { newView } from '#lib/contract/operate/views.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { refuseQuery } from '#lib/server/runtime/http/query.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'

export const GET = operatorHandler('operate.views', { role: 'viewer' }, async ({ app, url, operator }) => {
  refuseQuery(url.searchParams)
  return jsonAnswer(200, { views: await app.console.savedViews.list(operator.id) })
})

export const POST = operatorHandler(
  'operate.views',
  { role: 'viewer', changes: true, audit: null },
  async ({ app, request, operator }) =>
    jsonAnswer(201, await app.console.savedViews.save(operator.id, await readJson(request, newView))),
)
