'use client'

import { Pill } from '#components/ui/tone.tsx'
import type { Tone } from '#lib/browser/status-display.ts'
import type { TransactionListRow, WithdrawalListRow } from '#lib/contract/operate/lists.ts'
import { recordHref } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'
import { IdText } from '../ui/id-text.tsx'
import { StatusBadge, type MovementStatus } from '../ui/status-badge.tsx'

type Attention = NonNullable<TransactionListRow['attention'] | WithdrawalListRow['attention']>

const TONES: Readonly<Record<Attention, Tone>> = {
  overdue: 'bad',
  disputed: 'bad',
  vanished: 'bad',
  unmatched_payout: 'bad',
  unknown: 'unsure',
  pending_authorization: 'wait',
}

/** A status, and why a person should look at it, unless the status says so. */
export function StatusCell({
  status,
  attention,
}: {
  readonly status: MovementStatus
  readonly attention: Attention | null
}) {
  const { t } = useConsoleText()
  return (
    <span className="inline-flex flex-wrap items-center gap-1 max-sm:justify-end">
      <StatusBadge status={status} />
      {attention !== null && attention !== status && <Pill tone={TONES[attention]}>{t(`attention.${attention}`)}</Pill>}
    </span>
  )
}

/** A user as a link; nothing for no user. */
export function UserCell({ user }: { readonly user: string | null }) {
  const { t } = useConsoleText()
  if (user === null) return null
  return (
    // A table gives its room to columns that do not break, and an id may break at any character.
    <span className="inline-block max-w-full sm:min-w-44">
      <IdText id={user} name={t('filter.user')} href={recordHref('users', user)} />
    </span>
  )
}

/** Text that is copied rather than read, such as an address. */
export function CodeCell({ text, name }: { readonly text: string | null; readonly name: string }) {
  return text === null || text === '' ? null : <IdText short="address" id={text} name={name} />
}
