'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { PlainField } from '#components/ui/detail-field.tsx'
import { Notice } from '#components/ui/tone.tsx'
import { quarantineLineQuery } from '#lib/browser/operate/decide.ts'
import type { QuarantineLineReply } from '#lib/contract/operate/decide.ts'
import { mayActAs } from '#lib/contract/operate/operators.ts'
import { useConsoleClient } from '../context/client.tsx'
import { useOperator } from '../context/operator.tsx'
import { namesTransaction, recordHref, type PageProps } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'
import { IdText } from '../ui/id-text.tsx'
import { legibleJson } from '../ui/legible-json.ts'
import { LoadingFailure } from '../ui/loading-failure.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { useReasonText } from '../ui/use-reason-text.ts'
import { DecidedBy } from './decided-by.tsx'
import { LineSubject } from './line-subject.tsx'
import { ProposalNotice } from './proposal-notice.tsx'
import { SettleLinesDialog } from './settle-lines-dialog.tsx'

/** One line of the quarantine: what came, why it was not applied, and what may be done. */
export default function QuarantineLinePage({ params }: PageProps) {
  const { t } = useConsoleText()
  const id = params['id'] ?? ''
  const query = useQuery(quarantineLineQuery(useConsoleClient(), id))
  return (
    <>
      <PageHead title={t('decide.lineTitle', { id })} />
      {query.data === undefined ? (
        query.error && <LoadingFailure error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Line found={query.data} />
      )}
    </>
  )
}

function Line({ found }: { readonly found: QuarantineLineReply }) {
  const { t } = useConsoleText()
  const { role } = useOperator()
  const [action, setAction] = useState<'apply' | 'dismiss' | null>(null)
  const { item, can_apply, acknowledges, needs_two, proposal } = found
  const isOpen = item.settled_at === null
  return (
    <div className="grid gap-5">
      <LineFields found={found} />
      {proposal !== null && <ProposalNotice proposal={proposal} />}
      {isOpen && acknowledges !== null && (
        <Notice tone="unsure">
          <p>{t(needs_two ? 'decide.acknowledgesTwo' : 'decide.acknowledges')}</p>
          <IdText id={acknowledges} name={t('decide.payout')} href={recordHref('payouts', acknowledges)} />
        </Notice>
      )}
      {isOpen &&
        (mayActAs(role, 'agent') ? (
          <div className="flex flex-wrap gap-2">
            {can_apply && <Button onClick={() => setAction('apply')}>{t('decide.act.apply')}</Button>}
            <Button onClick={() => setAction('dismiss')}>{t('decide.act.dismiss')}</Button>
          </div>
        ) : (
          <p className="text-s text-ink-2">{t('decide.viewer')}</p>
        ))}
      <LineSubject found={found} />
      <section aria-labelledby="event" className="min-w-0">
        <h2 id="event" className="font-semibold">
          {t(found.is_event ? 'decide.event' : 'decide.report')}
        </h2>
        <pre
          tabIndex={0}
          translate="no"
          className="mt-1 overflow-x-auto rounded-small border border-line bg-surface p-3 font-mono text-xs whitespace-pre-wrap"
        >
          {found.is_event ? found.event_text : legibleJson(found.event_text)}
        </pre>
      </section>
      {action !== null && <SettleLinesDialog action={action} ids={[item.id]} onClose={() => setAction(null)} />}
    </div>
  )
}

function LineFields({
  found: { item, settled_how, event_name, user_reference_id, transaction_uuid },
}: {
  readonly found: QuarantineLineReply
}) {
  const { t } = useConsoleText()
  const reasonText = useReasonText()
  return (
    <dl className="grid gap-3 rounded-card border border-line bg-surface p-4 sm:grid-cols-2">
      <PlainField name={t('decide.lineReason')}>{reasonText(item.reason)}</PlainField>
      <PlainField name={t('decide.received')}>
        <TimeText iso={item.received_at} exactly />
      </PlainField>
      {event_name !== null && <PlainField name={t('decide.eventName')}>{event_name}</PlainField>}
      {user_reference_id !== null && (
        <PlainField name={t('decide.field.user')}>
          <IdText id={user_reference_id} name={t('decide.field.user')} href={recordHref('users', user_reference_id)} />
        </PlainField>
      )}
      {namesTransaction(transaction_uuid) && (
        <PlainField name={t('decide.uuid')}>
          <IdText id={transaction_uuid} name={t('decide.uuid')} href={recordHref('transactions', transaction_uuid)} />
        </PlainField>
      )}
      <PlainField name={t('decide.status')}>
        {item.settled_at === null ? (
          t('decide.open')
        ) : (
          <DecidedBy did={settled_how ?? 'settled'} by={item.settled_by ?? 'system'} at={item.settled_at} />
        )}
      </PlainField>
      {item.note !== null && <PlainField name={t('decide.note')}>{item.note}</PlainField>}
    </dl>
  )
}
