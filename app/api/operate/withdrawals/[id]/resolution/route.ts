import { settlementRequest } from '#lib/contract/operate/decide.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'

export const POST = operatorHandler(
  'operate.withdrawal_resolution',
  { role: 'agent', changes: true, audit: 'inside', fresh: true },
  async ({ app, request, params, operator }) => {
    const given = await readJson(request, settlementRequest)
    const settled = await app.console.settleUncertain(operator, params['id'] ?? '', given)
    return jsonAnswer(settled.result === 'done' ? 200 : 202, settled)
  },
)
