import type { ConsoleKey } from '#lib/i18n/console-catalogue.ts'
import type { ExceptionKind } from '#lib/contract/operate/exceptions.ts'

export interface ExceptionDisplay {
  readonly title: ConsoleKey
  /** What it means, and what to do. */
  readonly help: ConsoleKey
  /** The page of its list, below `/operate`. */
  readonly page: string
  /** `bad`: money may be wrong, or stands still. */
  readonly tone: 'bad' | 'wait'
  /** Its number is of times, not of things. */
  readonly times?: true
}

const of = (kind: ExceptionKind, tone: ExceptionDisplay['tone'], page: string): ExceptionDisplay => ({
  title: `exception.${kind}`,
  help: `exception.${kind}.help`,
  page,
  tone,
})

const line = (kind: ExceptionKind, tone: ExceptionDisplay['tone']): ExceptionDisplay =>
  of(kind, tone, `/quarantine?reason=${kind}`)

export const EXCEPTIONS: Readonly<Record<ExceptionKind, ExceptionDisplay>> = {
  gateway_refuses: { ...of('gateway_refuses', 'bad', '/settings'), times: true },
  gateway_down: { ...of('gateway_down', 'bad', '/settings'), times: true },
  users_unchecked: of('users_unchecked', 'bad', '/settings'),
  lost_commits: line('lost_commits', 'bad'),
  payouts_unowned: of('payouts_unowned', 'bad', '/payouts?show=attention'),
  late_payout: line('late_payout', 'bad'),
  contradiction: line('contradiction', 'bad'),
  list_conflict: line('list_conflict', 'bad'),
  implausible: line('implausible', 'bad'),
  totals_differ: line('totals_differ', 'bad'),
  overdue: of('overdue', 'bad', '/quarantine?reason=overdue&show=gateway'),
  webhooks_silent: { ...of('webhooks_silent', 'bad', '/settings'), times: true },
  webhooks_refused: { ...of('webhooks_refused', 'bad', '/settings'), times: true },
  deliveries_dead: of('deliveries_dead', 'bad', '/deliveries?state=dead'),
  withdrawals_unknown: of('withdrawals_unknown', 'wait', '/withdrawals?status=unknown'),
  withdrawals_pending: of('withdrawals_pending', 'wait', '/withdrawals?status=pending_authorization'),
  withdrawals_awaiting: of('withdrawals_awaiting', 'wait', '/withdrawals?status=awaiting_approval'),
  deliveries_failing: of('deliveries_failing', 'wait', '/deliveries?state=failing'),
  unknown_currency: line('unknown_currency', 'wait'),
  unknown_status: line('unknown_status', 'wait'),
  unknown_event: line('unknown_event', 'wait'),
  unreadable: line('unreadable', 'wait'),
  conflict: line('conflict', 'wait'),
  foreign_record: line('foreign_record', 'wait'),
  unknown_user: line('unknown_user', 'wait'),
  stale: line('stale', 'wait'),
  other_merchant: line('other_merchant', 'wait'),
}
