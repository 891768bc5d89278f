import { Problem } from '#lib/contract/problems.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

/** 200 with the version of this cashier; 503 with the parts that are not ready in `errors`. */
export const GET = handler('health.ready', async ({ app }) => {
  const errors = await app.readiness()
  const names = Object.keys(errors)
  if (names.length > 0) throw new Problem('store_unavailable', `Not ready: ${names.join(', ')}.`, { errors })
  return jsonAnswer(200, { status: 'ready', ...app.version })
})
export const HEAD = GET
