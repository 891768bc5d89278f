'use client'

import { useQuery } from '@tanstack/react-query'
import { exceptionsQuery } from '#lib/browser/operate/exceptions.ts'
import { useConsoleClient } from '../context/client.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { ProposalsCard } from '../decide/proposals-card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadingFailure } from '../ui/loading-failure.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { DayNumbers } from './day-numbers.tsx'
import { LastDays } from './last-days.tsx'
import { ExceptionList } from './exception-list.tsx'

/** What needs a person, the most urgent first; then the numbers of the day. */
export default function ExceptionsPage() {
  const { t } = useConsoleText()
  return (
    <>
      <PageHead title={t('exceptions.title')} />
      <div className="grid gap-5">
        <ProposalsCard />
        <Exceptions />
      </div>
      <DayNumbers />
      <LastDays />
    </>
  )
}

function Exceptions() {
  const { t, rich } = useConsoleText()
  const { data, error, refetch } = useQuery(exceptionsQuery(useConsoleClient()))
  if (data === undefined)
    return error === null ? <Loading /> : <LoadingFailure error={error} retry={() => void refetch()} />
  const { exceptions, last_webhook_at: last } = data
  return (
    <div className="grid gap-3">
      {error !== null && <LoadingFailure error={error} retry={() => void refetch()} />}
      {exceptions.length === 0 ? (
        <EmptyState title={t('exceptions.none')}>{t('exceptions.noneHelp')}</EmptyState>
      ) : (
        <ExceptionList exceptions={exceptions} />
      )}
      <p className="text-s text-ink-2">
        {last === null
          ? t('exceptions.noWebhook')
          : rich('exceptions.lastWebhook', { time: () => <TimeText iso={last} /> })}
      </p>
    </div>
  )
}

function Loading() {
  const { t } = useConsoleText()
  return (
    <p role="status" className="h-40 rounded-card border border-line bg-surface">
      <span className="sr-only">{t('console.loading')}</span>
    </p>
  )
}
