import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

/** 200 while the process runs. */
export const GET = handler('health.live', () => Promise.resolve(jsonAnswer(200, { status: 'live' })))
export const HEAD = GET
