import { dayQuery } from '#lib/contract/operate/exceptions.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { merchantValues } from '#lib/server/runtime/http/query.ts'
import { parseInput } from '#lib/server/runtime/http/request-body.ts'

export const GET = operatorHandler('operate.days', { role: 'viewer' }, async ({ app, url }) => {
  const query = parseInput(dayQuery, merchantValues(url.searchParams, ['time_zone']))
  return jsonAnswer(200, await app.console.lastDays(query))
})
