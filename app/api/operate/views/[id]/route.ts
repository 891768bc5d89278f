import { viewChange } from '#lib/contract/operate/views.ts'
import { jsonAnswer, NO_STORE, TextAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'

const OPTIONS = { role: 'viewer', changes: true, audit: null } as const

export const PUT = operatorHandler('operate.view', OPTIONS, async ({ app, request, params, operator }) => {
  const change = await readJson(request, viewChange)
  return jsonAnswer(200, await app.console.savedViews.change(operator.id, params['id'] ?? '', change))
})

export const DELETE = operatorHandler('operate.view', OPTIONS, async ({ app, params, operator }) => {
  await app.console.savedViews.remove(operator.id, params['id'] ?? '')
  return new TextAnswer('', { status: 204, headers: NO_STORE })
})
