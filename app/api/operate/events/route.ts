import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'

/** Tells an open console what has changed. */
export const GET = operatorHandler('operate.events', { role: 'viewer' }, ({ app, operator }) =>
  Promise.resolve(app.console.openChanges(() => app.operatorAuthenticator.isAlive(operator))),
)
