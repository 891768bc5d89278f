import type { Bench } from './bench.ts'

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

/** One statement about the gateway. `run` throws when it does not hold. */
export interface Check {
  readonly name: string
  /** Only with the sandbox's control routes: it needs states that a client cannot bring about, or moves money. */
  readonly needsControl?: true
  readonly run: (bench: Bench) => Promise<void>
}
