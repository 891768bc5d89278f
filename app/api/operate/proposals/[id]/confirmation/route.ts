import { proposalAnswer } from '#lib/contract/operate/decide.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'

export const POST = operatorHandler(
  'operate.proposal_confirmation',
  { role: 'agent', changes: true, audit: 'inside', fresh: true },
  async ({ app, request, params, operator }) => {
    const { reason } = await readJson(request, proposalAnswer)
    return jsonAnswer(200, { proposal: await app.console.proposals.confirm(operator, params['id'] ?? '', reason) })
  },
)
