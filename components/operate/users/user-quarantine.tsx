'use client'

import { Pill } from '#components/ui/tone.tsx'
import type { UserView } from '#lib/contract/operate/users.ts'
import { ConsoleLink } from '../context/address.tsx'
import { namesTransaction, recordHref } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'
import { useReasonText } from '../ui/use-reason-text.ts'
import { LinkedId } from '../ui/linked-id.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { AllLink } from './all-link.tsx'
import { Panel } from './panel.tsx'

/** What lies in quarantine of this user: open lines first. */
export function UserQuarantine({ lines, user }: { readonly lines: UserView['quarantine']; readonly user: string }) {
  const { t } = useConsoleText()
  const reasonText = useReasonText()
  if (lines.length === 0) return null
  return (
    <Panel title={t('users.quarantine')} actions={<AllLink list="quarantine" user={user} />}>
      <ul className="grid gap-2">
        {lines.map(({ id, reason, transaction_uuid, received_at, settled_at }) => (
          <li key={id} data-row className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <ConsoleLink
              href={recordHref('quarantine', id)}
              className="inline-flex min-h-6 items-center font-semibold text-accent underline-offset-2 hover:underline"
            >
              {reasonText(reason)}
            </ConsoleLink>
            <Pill tone={settled_at === null ? 'bad' : 'plain'}>
              {t(settled_at === null ? 'users.lineOpen' : 'users.lineSettled')}
            </Pill>
            <TimeText iso={received_at} />
            {namesTransaction(transaction_uuid) && (
              <LinkedId id={transaction_uuid} name={t('story.field.transaction')} page="transactions" />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
