'use client'

import { useQuery } from '@tanstack/react-query'
import ExternalLink from 'lucide-react/icons/external-link'
import { useEffect, useEffectEvent, useRef } from 'react'
import { explorerUrl } from '#lib/addresses/explorer.ts'
import { withdrawalQuery } from '#lib/browser/queries.ts'
import { cashierStatusOf, statusDisplay } from '#lib/browser/status-display.ts'
import type { Withdrawal, WithdrawalStatus } from '#lib/contract/cashier.ts'
import { useLiveTransactions } from '../shell/live-transactions.ts'
import { useBffClient } from '../shell/page-runtime.tsx'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { AddressText } from '../ui/address-text.tsx'
import { Amount } from '../ui/amount.tsx'
import { Button } from '../ui/button.tsx'
import { ProblemScreen, problemDetails } from '../ui/problem-screen.tsx'
import { SupportLink } from '../ui/support-link.tsx'
import { Notice, Pill } from '../ui/tone.tsx'
import { FlowSkeleton } from '../shell/flow-skeleton.tsx'
import { failureReasonMessage, STATUS_SCREENS, type StepState } from './timeline.ts'

/** Refetch interval by status, besides the stream, which may be missing. False: nothing follows. */
const POLL_MS: Readonly<Record<WithdrawalStatus, number | false>> = {
  pending_authorization: 30_000,
  awaiting_approval: 30_000,
  processing: 30_000,
  unknown: 5000,
  succeeded: false,
  failed: false,
}

/** The live status of one withdrawal. */
export default function OutcomeScreen({
  id,
  onShown,
  onDone,
}: {
  readonly id: string
  /** Called when the outcome itself is on the screen. */
  readonly onShown: () => void
  readonly onDone: () => void
}) {
  const query = useQuery({
    ...withdrawalQuery(useBffClient(), id),
    refetchInterval: ({ state }) => (state.data ? POLL_MS[state.data.status] : false),
  })
  const known = query.data !== undefined
  const reportShown = useEffectEvent(onShown)
  useEffect(() => {
    if (known) reportShown()
  }, [known])
  if (query.data) return <OutcomeDetails withdrawal={query.data} onDone={onDone} />
  if (query.error)
    return (
      <ProblemScreen
        details={problemDetails(query.error)}
        retrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    )
  return <FlowSkeleton flow="withdraw" />
}

function OutcomeDetails({ withdrawal, onDone }: { readonly withdrawal: Withdrawal; readonly onDone: () => void }) {
  const { t, rich, decimal } = useTranslations()
  const { supportUrl, showsBalances } = useSession()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const { status, amount, currency: code, network, wallet_address: address, user_message: message } = withdrawal
  const screen = STATUS_SCREENS[status]
  const display = statusDisplay('payout', cashierStatusOf(status), withdrawal.failure_reason)
  const hash = useLiveTransactions().find((event) => event.withdrawal_id === withdrawal.id)?.tx_hash ?? null
  const explorer = hash === null ? null : explorerUrl(network, hash)
  const values = { amount: decimal(amount), code, held: showsBalances ? 'yes' : 'no' }
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3.5" data-testid="withdraw-outcome" data-status={status}>
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 ref={title} tabIndex={-1} className="min-w-0 text-xl font-semibold outline-none">
          <Amount value={amount} code={code} sign={'\u2212'} />
        </h2>
        <Pill tone={display.tone}>{t(display.label)}</Pill>
      </div>
      <Notice tone={screen.tone}>
        <p>{rich(screen.body, values)}</p>
        {status === 'failed' && <p className="mt-1">{t(failureReasonMessage(withdrawal))}</p>}
        {message !== null && <MerchantMessage text={message} />}
      </Notice>
      <Timeline withdrawal={withdrawal} />
      <dl className="grid grid-cols-[minmax(0,1fr)] gap-0.5 text-s">
        <dt className="text-ink-2">{t('withdraw.check.to')}</dt>
        <dd>
          <AddressText address={address} />
        </dd>
      </dl>
      {explorer !== null && (
        <a
          href={explorer}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-11 items-center gap-1 text-s font-semibold text-accent"
        >
          {t('deposit.explorer')}
          <ExternalLink aria-hidden size={14} />
          <span className="sr-only">{t('common.newTab')}</span>
        </a>
      )}
      {(status === 'failed' || status === 'unknown') && (
        <SupportLink supportUrl={supportUrl} reference={withdrawal.id} />
      )}
      <Button onClick={onDone}>{t('common.done')}</Button>
    </section>
  )
}

/** A text of the merchant, quoted as such. */
function MerchantMessage({ text }: { readonly text: string }) {
  const { t } = useTranslations()
  return (
    <figure className="mt-1.5">
      <figcaption className="text-ink-2">{t('withdraw.merchantSays')}</figcaption>
      <blockquote dir="auto" className="break-words">
        {text}
      </blockquote>
    </figure>
  )
}

const DOT: Readonly<Record<StepState, string>> = {
  done: 'bg-ok',
  now: 'bg-accent ring-4 ring-accent-soft',
  todo: 'border border-ink-3 bg-surface',
  failed: 'bg-bad',
}

const UNSURE_DOT = 'bg-unsure ring-4 ring-unsure-soft'

function Timeline({ withdrawal: { status } }: { readonly withdrawal: Withdrawal }) {
  const { t } = useTranslations()
  const { steps, tone } = STATUS_SCREENS[status]
  return (
    <ol className="rounded-card border border-line p-3.5 max-[22.5rem]:px-2.5" aria-label={t('withdraw.progress')}>
      {steps.map(({ label, state }, index) => (
        <li
          key={label}
          aria-current={state === 'now' ? 'step' : undefined}
          className={`relative ps-[28px] ${index < steps.length - 1 ? 'pb-4' : ''}`}
        >
          {index < steps.length - 1 && (
            <span aria-hidden className="absolute start-[9px] top-[1.25rem] -bottom-[0.25rem] w-px bg-line" />
          )}
          <span
            aria-hidden
            className={`absolute start-[4px] top-[calc(0.6875rem-5px)] size-[10px] rounded-full forced-color-adjust-none ${state === 'now' && tone === 'unsure' ? UNSURE_DOT : DOT[state]}`}
          />
          <span className={state === 'todo' ? 'text-ink-2' : 'font-semibold'}>{t(label)}</span>
          {state === 'done' && <span className="sr-only"> ({t('status.done')})</span>}
        </li>
      ))}
    </ol>
  )
}
