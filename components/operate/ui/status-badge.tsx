'use client'

import { Pill } from '#components/ui/tone.tsx'
import type { Tone } from '#lib/browser/status-display.ts'
import type { WithdrawalStatus } from '#lib/contract/cashier.ts'
import type { TransactionListRow } from '#lib/contract/operate/lists.ts'
import { useConsoleText } from '../context/texts.tsx'

/** A status of a transaction, a withdrawal or a payout. */
export type MovementStatus = WithdrawalStatus | TransactionListRow['status']

const TONES: Readonly<Record<MovementStatus, Tone>> = {
  pending: 'plain',
  pending_authorization: 'wait',
  processing: 'wait',
  awaiting_approval: 'wait',
  unknown: 'unsure',
  succeeded: 'ok',
  failed: 'bad',
  other: 'plain',
}

export const isMovementStatus = (status: string): status is MovementStatus => Object.hasOwn(TONES, status)

export function StatusBadge({ status }: { readonly status: MovementStatus }) {
  const { t } = useConsoleText()
  return <Pill tone={TONES[status]}>{t(`status.${status}`)}</Pill>
}
