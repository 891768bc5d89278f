/** Calls of the console about one user. */
import { userPath } from '#lib/contract/merchant-requests.ts'
import type { AuditSubject } from '../../operate/audit/audit-entry.ts'
import type { AuditedUserAct } from '../../operate/users/user-acts.ts'
import type { OperatorCall } from './operator-handler.ts'
import { parseInput } from './request-body.ts'
import type { Call } from './route-handler.ts'

/** The user in the path of a call. @throws Problem `invalid_request` */
export const userOf = ({ params }: Pick<Call, 'params'>): string => parseInput(userPath, params).user_reference_id

export function userSubject(call: Pick<Call, 'params'>): AuditSubject {
  const user = userOf(call)
  return { kind: 'user', id: user, user_reference_id: user }
}

/** Runs an act about the call's user: the audit log has its beginning, its reason, and what became of it. */
export const auditedUserAct = (
  call: OperatorCall,
  action: string,
  reason: string,
  detail: Readonly<Record<string, string | null>> = {},
): AuditedUserAct => {
  const entry = { operator: call.operator, action, about: userSubject(call), reason, detail }
  return (act) => call.app.console.auditedAct(entry, act)
}
