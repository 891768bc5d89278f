import { NO_STORE, TextAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'

export const POST = operatorHandler(
  'operate.signOut',
  { role: 'viewer', changes: true, audit: { action: 'operator.sign_out' } },
  async ({ app, operator }) => {
    await app.console.signOut(operator.sessionId)
    return new TextAnswer('', { status: 204, headers: NO_STORE, cookies: [app.operatorCookie.clear()] })
  },
)
