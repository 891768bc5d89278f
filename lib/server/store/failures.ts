/** PostgreSQL: another transaction was in the way; the same work may be tried again. */
const RETRY = new Set(['40001', '40P01', '23505', '55P03'])

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

export const isRetryable = (error: unknown): boolean => RETRY.has(codeOf(error))

/** Node's and PostgreSQL's codes for a database that cannot be reached or cannot write. */
const AWAY =
  /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|08|53|57P|58|XX|25006|ERR_SQLITE|ERR_INVALID_STATE)/

const AWAY_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|driver has already been destroyed|Cannot use a pool after/

/** True where the database, not the question, is at fault: away, full, read-only, broken. */
export const isStoreFailure = (error: unknown): boolean =>
  error instanceof Error && (AWAY.test(codeOf(error)) || AWAY_MESSAGE.test(error.message))
