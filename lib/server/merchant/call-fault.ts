/** Why no reply came. `broken`: the connection was lost, or the other side does not speak HTTP. */
export type CallFault = 'connect' | 'tls' | 'timeout' | 'broken'

/** By Node's code of the cause; the first match counts. */
const FAULTS: readonly (readonly [RegExp, CallFault])[] = [
  [/TIMEOUT|ETIMEDOUT/, 'timeout'],
  [/^(?:ERR_TLS_|ERR_SSL_|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_INVALID_PROTOCOL)/, 'tls'],
  [/^(?:ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)/, 'connect'],
]

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')

/** Which part of a call failed. @param error what `fetch` rejected with */
export function callFault(error: unknown): CallFault {
  if (!(error instanceof Error)) return 'broken'
  if (error.name === 'TimeoutError') return 'timeout'
  const code = codeOf(error.cause instanceof Error ? error.cause : error)
  return FAULTS.find(([pattern]) => pattern.test(code))?.[1] ?? 'broken'
}
