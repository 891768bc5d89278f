/** PostgreSQL: a conflict with another transaction; the same work may be retried. */
const RETRYABLE = new Set(['40001', '40P01', '23505', '55P03'])

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

export const isRetryable = (error: unknown): boolean => RETRYABLE.has(codeOf(error))

/** Node's and PostgreSQL's codes for a database that cannot be reached or cannot write. */
const UNAVAILABLE =
  /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|08|53|57P|58|XX|25006|ERR_SQLITE|ERR_INVALID_STATE)/

const UNAVAILABLE_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|driver has already been destroyed|Cannot use a pool after/

/** True if the database, not the query, is at fault: unreachable, full, read-only, broken. */
export const isStoreFailure = (error: unknown): boolean =>
  error instanceof Error && (UNAVAILABLE.test(codeOf(error)) || UNAVAILABLE_MESSAGE.test(error.message))
