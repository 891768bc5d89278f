'use client'

import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useEffectEvent, useRef } from 'react'
import { explorerUrl } from '#lib/addresses/explorer.ts'
import { transactionsPageQuery, withdrawalQuery } from '#lib/browser/queries.ts'
import { siteText } from '#lib/i18n/site-texts.ts'
import { cashierStatusOf, statusDisplay } from '#lib/browser/status-display.ts'
import type { Currency, Withdrawal, WithdrawalStatus } from '#lib/contract/cashier.ts'
import { withFiatDigits } from '#lib/i18n/fiat-digits.ts'
import { useChosenCurrency } from '../currency-picker/chosen-currency.tsx'
import { useLiveTransactions } from '../shell/use-live-transactions.ts'
import { useNavigation } from '../context/navigation.tsx'
import { useBffClient } from '../context/page-runtime.tsx'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { AskedAndPaid } from '../expectations/asked-and-paid.tsx'
import { PayoutNotHere } from '../expectations/not-here-yet.tsx'
import { WaitingTime } from '../expectations/usual-time.tsx'
import { Amount } from '../ui/amount.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { DetailField, PlainField } from '../ui/detail-field.tsx'
import { ExplorerLink } from '../ui/explorer-link.tsx'
import { focusStart } from '../ui/focus.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { NavLink } from '../ui/nav-link.tsx'
import { ProblemScreen, problemDetails } from '../ui/problem-screen.tsx'
import { SupportLink } from '../ui/support-link.tsx'
import { Time, useTimeText } from '../ui/time.tsx'
import { Notice, Pill } from '../ui/tone.tsx'
import { useIsPast } from '../ui/use-is-past.ts'
import { FlowSkeleton } from '../ui/skeleton.tsx'
import { RECENT_WITHDRAWALS_QUERY } from './repeated-withdrawal.ts'
import { failureReasonMessage, knownByMs, screenOf, type StepState } from './timeline.ts'

const WaitingWithdrawal = lazyPart(() => import('../waiting/waiting-withdrawal.tsx'))

/** Refetch interval by status, in case the stream is missing. False for a final status. */
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
  onAgain,
}: {
  readonly id: string
  /** Called when the outcome itself is on the screen. */
  readonly onShown: () => void
  readonly onDone: () => void
  /** Nothing was sent: opens the form with these details for another withdrawal. */
  readonly onAgain: Again
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
  if (query.data) return <OutcomeDetails withdrawal={query.data} onDone={onDone} onAgain={onAgain} />
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

type Again = (currency: Currency, withdrawal: Withdrawal) => void

function OutcomeDetails({
  withdrawal,
  onDone,
  onAgain,
}: {
  readonly withdrawal: Withdrawal
  readonly onDone: () => void
  readonly onAgain: Again
}) {
  const { t, rich, decimal } = useTranslations()
  const { supportUrl, merchantName: site = '', showsBalances, showsValues, explorer: template } = useSession()
  const row = useHistoryRow(withdrawal.id)
  const currency = useOffered(withdrawal)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => focusStart(title.current), [])
  const { status, amount, currency: code, network, wallet_address: address, user_message: message } = withdrawal
  const screen = screenOf(withdrawal)
  const display = statusDisplay(
    'payout',
    cashierStatusOf(status),
    withdrawal.failure_reason,
    !withdrawal.awaits_decision,
  )
  const live = useLiveTransactions().find((event) => event.withdrawal_id === withdrawal.id)
  const hash = live?.tx_hash ?? row?.tx_hash ?? null
  const explorer = hash === null ? null : explorerUrl(network, hash, template)
  const values = { amount: decimal(amount), code, held: showsBalances ? 'yes' : 'no', site }
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3.5" data-testid="withdraw-outcome" data-status={status}>
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 ref={title} tabIndex={-1} className="min-w-0 text-xl font-semibold outline-none">
          <Amount value={amount} code={code} sign={'\u2212'} />
        </h2>
        <Pill tone={display.tone}>{t(display.label)}</Pill>
      </div>
      {showsValues && row?.amount_usd != null && (
        <p className="-mt-2 text-s text-ink-2">
          {t('details.valueUsd', { amount: decimal(withFiatDigits(row.amount_usd, 'USD')) })}
        </p>
      )}
      <Notice tone={screen.tone}>
        <p>{rich(siteText(screen.body, site), values)}</p>
        {status === 'failed' && <p className="mt-1">{t(siteText(failureReasonMessage(withdrawal), site), { site })}</p>}
        {status === 'unknown' && row && <KnownBy requestedAt={row.inserted_at} />}
        {message !== null && <MerchantMessage text={message} />}
      </Notice>
      {status === 'pending_authorization' && (
        <Suspense>
          <WaitingWithdrawal
            id={withdrawal.id}
            amount={amount}
            code={code}
            wait={withdrawal}
            onEnd={() => focusStart(title.current)}
          />
        </Suspense>
      )}
      <Timeline withdrawal={withdrawal} requestedAt={row?.inserted_at} />
      {status === 'processing' && row?.called_at != null && (
        <WaitingTime kind="withdrawal" of={{ code, network }} since={row.called_at} reference={withdrawal.id} />
      )}
      <dl className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {row?.asked_amount !== undefined && row.paid_amount !== undefined && (
          <AskedAndPaid asked={row.asked_amount} paid={row.paid_amount} code={code} />
        )}
        <PlainField name={t('withdraw.check.network')}>{network}</PlainField>
        <DetailField name={t('withdraw.check.to')} value={address} grouped />
      </dl>
      {explorer !== null && <ExplorerLink href={explorer} label="deposit.explorer" className="text-s" />}
      {(status === 'processing' || status === 'succeeded') && (
        <PayoutNotHere of={{ code, network }} address={address} explorer={explorer} reference={withdrawal.id} />
      )}
      {(display.tone === 'bad' || status === 'unknown') && (
        <SupportLink supportUrl={supportUrl} reference={withdrawal.id} />
      )}
      <div className="flex flex-wrap gap-2.5">
        {display.tone === 'bad' && currency && (
          <Button variant="primary" className="w-full" onClick={() => onAgain(currency, withdrawal)}>
            {t('withdraw.again')}
          </Button>
        )}
        <HistoryLink />
        <Button className="max-w-full flex-auto" onClick={onDone}>
          {t('common.done')}
        </Button>
      </div>
    </section>
  )
}

/** The withdrawal in the history, which has fields that the withdrawal's own endpoint lacks. */
function useHistoryRow(id: string) {
  const { data } = useQuery(transactionsPageQuery(useBffClient(), RECENT_WITHDRAWALS_QUERY))
  return data?.edges.map(({ node }) => node).find(({ withdrawal_id }) => withdrawal_id === id)
}

/** The withdrawal's currency, if the session still offers it. */
function useOffered(of: Withdrawal): Currency | undefined {
  const chosen = useChosenCurrency()
  if (chosen.state !== 'ready') return undefined
  return chosen.currencies.find((one) => one.currency_code === of.currency && one.network === of.network)
}

/**
 * The time by which the gateway's list proves the outcome. After it a person may have to decide, so no time is shown.
 */
function KnownBy({ requestedAt }: { readonly requestedAt: string }) {
  const { t } = useTranslations()
  const { absenceS } = useSession()
  const time = useTimeText()
  const by = new Date(knownByMs(requestedAt, absenceS)).toISOString()
  return !useIsPast(by) && <p className="mt-1">{t('withdraw.knownBy', { time: time(by, 'date-time') })}</p>
}

function HistoryLink() {
  const { t } = useTranslations()
  const { flows } = useSession()
  const { hrefOf, goTo, preload } = useNavigation()
  if (!flows.includes('history')) return null
  return (
    <NavLink
      href={hrefOf('history')}
      onGo={() => goTo('history')}
      onPointerEnter={() => preload('history')}
      className={buttonClass('plain', 'max-w-full flex-auto')}
    >
      {t('flow.history')}
    </NavLink>
  )
}

/** A text of the merchant, shown as a quotation. */
function MerchantMessage({ text }: { readonly text: string }) {
  const { t } = useTranslations()
  const { merchantName: site = '' } = useSession()
  return (
    <figure className="mt-1.5">
      <figcaption className="text-ink-2">{t(siteText('withdraw.merchantSays', site), { site })}</figcaption>
      <blockquote dir="auto" className="break-words">
        {text}
      </blockquote>
    </figure>
  )
}

const DOT: Readonly<Record<StepState, string>> = {
  done: 'bg-ok',
  now: 'pulsing bg-accent ring-4 ring-accent-soft',
  todo: 'border border-ink-3 bg-surface',
  failed: 'bg-bad',
}

const UNSURE_DOT = 'pulsing bg-unsure ring-4 ring-unsure-soft'

function Timeline({
  withdrawal,
  requestedAt,
}: {
  readonly withdrawal: Withdrawal
  /** ISO 8601. */
  readonly requestedAt: string | undefined
}) {
  const { t } = useTranslations()
  const { steps, tone } = screenOf(withdrawal)
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
          <div className="flex flex-wrap items-baseline justify-between gap-x-2">
            <span className={state === 'todo' ? 'text-ink-2' : 'font-semibold'}>
              <span>{t(label)}</span>
              {state === 'done' && <span className="sr-only">{` (${t('status.done')})`}</span>}
            </span>
            {index === 0 && requestedAt !== undefined && (
              <span className="text-s text-ink-2">
                <Time iso={requestedAt} style="date-time" />
              </span>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}
