/** What the doctor found about one thing. */
export interface Finding {
  /** What was looked at: configuration, keys, gateway, clock, database, framing. */
  readonly about: string
  /** `note`: worth knowing, and nothing is broken. */
  readonly verdict: 'ok' | 'note' | 'fault'
  readonly says: string
  /** How to mend a fault. */
  readonly mend?: string
}

export const ok = (about: string, says: string): Finding => ({ about, verdict: 'ok', says })
export const note = (about: string, says: string): Finding => ({ about, verdict: 'note', says })
export const fault = (about: string, says: string, mend: string): Finding => ({ about, verdict: 'fault', says, mend })

const MARKS = { ok: 'ok   ', note: 'note ', fault: 'FAULT' } as const

/** As lines for a terminal. */
export const findingText = ({ about, verdict, says, mend }: Finding): string =>
  `${MARKS[verdict]} ${about}: ${says}${mend === undefined ? '' : `\n      mend: ${mend}`}`

/** The innermost reason of an error that has a code or words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const inner = error.cause === undefined ? '' : reasonOf(error.cause)
  if (inner !== '') return inner
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined
  if (first !== undefined) return reasonOf(first)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return error.message === '' || error.message.includes(code)
    ? error.message || code
    : `${code} ${error.message}`.trim()
}
