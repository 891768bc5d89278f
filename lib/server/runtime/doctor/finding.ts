import type { ConfigWarning } from '../config/config.ts'

/** The doctor's result about one subject. */
export interface Finding {
  /**
   * The subject: version, configuration, keys, gateway, clock, database, ledger, disk, backup, framing, proxy, webhooks,
   * reference, withdrawals, transport, metrics, merchant.
   */
  readonly about: string
  /** `note`: worth knowing, but nothing is broken. */
  readonly level: 'ok' | 'note' | 'fault'
  readonly message: string
  /** The fix of a fault. */
  readonly fix?: string
}

export const ok = (about: string, message: string): Finding => ({ about, level: 'ok', message })
export const note = (about: string, message: string): Finding => ({ about, level: 'note', message })
export const fault = (about: string, message: string, fix: string): Finding => ({ about, level: 'fault', message, fix })

/** A fault if it is known what to do. */
export const warningFinding = (about: string, { message, fix }: ConfigWarning): Finding =>
  fix === null ? note(about, message) : fault(about, message, fix)

const MARKS = { ok: 'ok   ', note: 'note ', fault: 'FAULT' } as const

/** The finding as lines for a terminal. */
export const findingText = ({ about, level, message, fix }: Finding): string =>
  `${MARKS[level]} ${about}: ${message}${fix === undefined ? '' : `\n      fix: ${fix}`}`

/** The innermost cause of an error that has a code or a message. */
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
