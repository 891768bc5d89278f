import type { CheckContext } from './check-context.ts'

export const GROUPS = [
  'authentication',
  'currencies',
  'addresses',
  'withdrawals',
  'transactions',
  'payments',
  'webhooks',
] as const
export type Group = (typeof GROUPS)[number]

/** One statement about the gateway. `run` throws when it is not true. */
export interface Check {
  readonly name: string
  /** Needs the sandbox's control API, to reach a state that a client cannot cause, or because the check moves money. */
  readonly needsControl?: true
  readonly run: (bench: CheckContext) => Promise<void>
}
