/**
 * Whether a commit that PostgreSQL answers with success has reached the standby that it waits for. An administrator can
 * cancel the wait, or empty `synchronous_standby_names` meanwhile. PostgreSQL then answers success all the same, with a
 * warning or without, and a failover loses the commit.
 */
import type pg from 'pg'

/** The function of PostgreSQL that waits for standbys; its warnings have texts in the language of the server. */
const WAITS_FOR_STANDBY = 'SyncRepWaitForLSN'

/** Connections on which such a wait was cancelled. */
const cancelled = new WeakSet<object>()

/** Once for each new connection. */
export function watchReplication(client: pg.ClientBase): void {
  client.on('notice', ({ routine }) => {
    if (routine === WAITS_FOR_STANDBY) cancelled.add(client)
  })
}

/** Whether a wait for a standby was cancelled on this connection since the last call. */
export const wasWaitCancelled = (client: object): boolean => cancelled.delete(client)

/** The commit may be on one machine alone. */
export class UnreplicatedError extends Error {
  override readonly name = 'UnreplicatedError'

  constructor(options?: ErrorOptions) {
    const why = 'the wait was cancelled, or synchronous_standby_names is empty or unknown'
    super(`PostgreSQL has committed without its standby: ${why}`, options)
  }
}

/**
 * The answer to a commit that is as durable as the server was set to make it.
 * @param missing the answer to a query, sent behind the commit, that has a row if commits wait for no standby; or null
 * @throws UnreplicatedError
 */
export async function replicated<T>(
  client: object,
  commit: Promise<T>,
  missing: Promise<pg.QueryResult> | null,
): Promise<T> {
  const answered = missing?.catch((cause: unknown) => {
    // Its error must not look like a refusal of the commit.
    throw new UnreplicatedError({ cause })
  })
  const [answer, alone] = await Promise.all([commit, answered ?? null])
  if (wasWaitCancelled(client) || (alone !== null && alone.rows.length > 0)) throw new UnreplicatedError()
  return answer
}
