import { userPath } from '#lib/contract/merchant-requests.ts'
import type { AuditSubject } from '../../operate/audit/audit-entry.ts'
import { parseInput } from './request-body.ts'
import type { Call } from './route-handler.ts'

/** The user in the path of a call. @throws Problem `invalid_request` */
export const userOf = ({ params }: Pick<Call, 'params'>): string => parseInput(userPath, params).user_reference_id

export function userSubject(call: Pick<Call, 'params'>): AuditSubject {
  const user = userOf(call)
  return { kind: 'user', id: user, user_reference_id: user }
}
