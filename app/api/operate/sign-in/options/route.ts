import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { signInHandler } from '#lib/server/runtime/http/sign-in-handler.ts'

export const POST = signInHandler('operate.signInOptions', ({ app }) =>
  Promise.resolve(jsonAnswer(200, app.console.signInOptions())),
)
