/** The exported function of a route file of the console: who calls is checked, and noted in the audit log. */
import type { AuditSubject } from '../../operate/audit/audit-entry.ts'
import type { Operator, OperatorNeeds } from './authenticate-operator.ts'
import type { Answer } from './answer.ts'
import { handler, type Call, type RouteHandler } from './route-handler.ts'

/** One call of the console. */
export type OperatorCall = Call & { readonly operator: Operator }

interface AuditRule {
  /** Such as `user.open`. */
  readonly action: string
  readonly about?: (call: Call) => AuditSubject
}

export type OperatorRoute = OperatorNeeds &
  (
    | {
        readonly changes?: false
        /** Set for each read that opens a person's data: its entry is stored before the endpoint runs. */
        readonly audit?: AuditRule
      }
    | {
        /** An act. */
        readonly changes: true
        /**
         * One entry is stored before the endpoint runs, and one with its outcome after it. `inside`: the use case stores
         * them, with what only the body tells, such as the reason. Null: it concerns nobody but the operator.
         */
        readonly audit: AuditRule | 'inside' | null
      }
  )

/** @param route the route's name in metrics and log, such as `operate.search` */
export function operatorHandler(
  route: string,
  { changes = false, audit, ...needs }: OperatorRoute,
  endpoint: (call: OperatorCall) => Promise<Answer>,
): RouteHandler {
  return handler(route, async (call) => {
    const { app, request } = call
    const operator = await app.operatorAuthenticator.authenticate(request.headers, changes, needs)
    // A new object: `url` of a call is read lazily.
    const own: OperatorCall = Object.create(call, { operator: { value: operator, enumerable: true } }) as OperatorCall
    if (audit === undefined || audit === null || audit === 'inside') return endpoint(own)
    const entry = { operator, action: audit.action, about: audit.about?.(call) ?? null }
    if (changes) return app.console.auditedAct(entry, () => endpoint(own))
    await app.console.recordAudit(entry)
    return endpoint(own)
  })
}
