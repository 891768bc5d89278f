const LONGEST = 200

/** Why a call to the merchant failed, for logs and records: the cause's code or words, never a body. */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return 'the call failed'
  if (error.name === 'TimeoutError') return 'no answer in time'
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null
  const text = cause instanceof Error ? `${error.message}: ${code ?? cause.message}` : error.message
  return text.slice(0, LONGEST)
}
