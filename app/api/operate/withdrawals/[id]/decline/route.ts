import { decisionRequest } from '#lib/contract/operate/decide.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'

export const POST = operatorHandler(
  'operate.withdrawal_decline',
  { role: 'agent', changes: true, audit: 'inside', fresh: false },
  async ({ app, request, params, operator }) => {
    const given = await readJson(request, decisionRequest)
    const withdrawal = await app.console.decidePending(operator, params['id'] ?? '', 'decline', given)
    return jsonAnswer(200, { withdrawal })
  },
)
