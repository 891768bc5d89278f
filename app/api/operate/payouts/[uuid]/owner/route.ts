import { ownershipRequest } from '#lib/contract/operate/decide.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'

export const POST = operatorHandler(
  'operate.payout_owner',
  { role: 'agent', changes: true, audit: 'inside', fresh: true },
  async ({ app, request, params, operator }) => {
    const given = await readJson(request, ownershipRequest)
    const owned = await app.console.giveOwner(operator, params['uuid'] ?? '', given)
    return jsonAnswer(owned.result === 'done' ? 200 : 202, owned)
  },
)
