import { linesRequest } from '#lib/contract/operate/decide.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'

export const POST = operatorHandler(
  'operate.quarantine_applications',
  { role: 'agent', changes: true, audit: 'inside', fresh: true },
  async ({ app, request, operator }) => {
    const given = await readJson(request, linesRequest)
    return jsonAnswer(200, await app.console.settleLines(operator, 'apply', given))
  },
)
