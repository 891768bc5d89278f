import type { OperatorOfSession, OperatorRow, Tx } from '../../store/types.ts'

/** Begins a session whose passkey was just used. */
export async function beginSession(
  tx: Pick<Tx, 'operators' | 'now'>,
  operator: OperatorRow,
  id: string,
): Promise<OperatorOfSession> {
  const times = { created_ms: tx.now, last_used_ms: tx.now, touched_ms: tx.now, ended_ms: null }
  const session = { id, operator_id: operator.id, ...times }
  await tx.operators.addSession(session)
  return { session, operator }
}
