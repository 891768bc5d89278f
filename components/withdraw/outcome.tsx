'use client'

import { useQuery } from '@tanstack/react-query'
import ExternalLink from 'lucide-react/icons/external-link'
import { useEffect, useRef } from 'react'
import { explorerUrl } from '#lib/addresses/explorer.ts'
import { withdrawalQuery } from '#lib/browser/queries.ts'
import { cashierStatusOf, STATUS_LOOKS } from '#lib/browser/transaction-status.ts'
import type { Withdrawal } from '#lib/contract/cashier.ts'
import { useLive } from '../shell/live.ts'
import { useBffClient } from '../shell/page-runtime.tsx'
import { useSession } from '../shell/session.tsx'
import { useWords } from '../shell/words.tsx'
import { AddressText } from '../ui/address-text.tsx'
import { Amount } from '../ui/amount.tsx'
import { Button } from '../ui/button.tsx'
import { Problem, problemFacts } from '../ui/problem.tsx'
import { SupportLink } from '../ui/support-link.tsx'
import { Notice, Pill } from '../ui/tone.tsx'
import { FlowSkeleton } from '../shell/flow-skeleton.tsx'
import { failureReason, STATUS_SCREENS, type StepState } from './timeline.ts'

/** Uncertain ones come to rest by themselves; the page asks while it is looked at, stream or not. */
const ASK_MS: Readonly<Partial<Record<Withdrawal['status'], number>>> = { unknown: 5000, processing: 30_000 }

/** What became of one withdrawal, live. */
export default function Outcome({ id, onDone }: { readonly id: string; readonly onDone: () => void }) {
  const query = useQuery({
    ...withdrawalQuery(useBffClient(), id),
    refetchInterval: ({ state }) => (state.data ? (ASK_MS[state.data.status] ?? false) : false),
  })
  if (query.data) return <Told withdrawal={query.data} onDone={onDone} />
  if (query.error)
    return (
      <Problem facts={problemFacts(query.error)} retrying={query.isFetching} onRetry={() => void query.refetch()} />
    )
  return <FlowSkeleton flow="withdraw" />
}

function Told({ withdrawal, onDone }: { readonly withdrawal: Withdrawal; readonly onDone: () => void }) {
  const { t, rich, decimal } = useWords()
  const { supportUrl, showsBalances } = useSession()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const { status, amount, currency: code, network, wallet_address: address, user_message: message } = withdrawal
  const screen = STATUS_SCREENS[status]
  const look = STATUS_LOOKS.payout[cashierStatusOf(status)]
  const hash = useLive().find((event) => event.withdrawal_id === withdrawal.id)?.tx_hash ?? null
  const explorer = hash === null ? null : explorerUrl(network, hash)
  const values = { amount: decimal(amount), code, held: showsBalances ? 'yes' : 'no' }
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3.5" data-testid="withdraw-outcome" data-status={status}>
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 ref={title} tabIndex={-1} className="min-w-0 text-xl font-semibold outline-none">
          <Amount value={amount} code={code} sign={'\u2212'} />
        </h2>
        <Pill tone={look.tone}>{t(look.word)}</Pill>
      </div>
      <Notice tone={screen.tone}>
        <p>{rich(screen.body, values)}</p>
        {status === 'failed' && <p className="mt-1">{t(failureReason(withdrawal))}</p>}
        {message !== null && <MerchantWords text={message} />}
      </Notice>
      <Timeline withdrawal={withdrawal} />
      <dl className="grid gap-0.5 text-s">
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
          className="inline-flex min-h-6 items-center gap-1 text-s font-semibold text-accent"
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

/** What the merchant wrote: text and nothing else, set apart as its words. */
function MerchantWords({ text }: { readonly text: string }) {
  const { t } = useWords()
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
  todo: 'bg-line',
  failed: 'bg-bad',
}

function Timeline({ withdrawal: { status } }: { readonly withdrawal: Withdrawal }) {
  const { t } = useWords()
  const { steps } = STATUS_SCREENS[status]
  return (
    <ol className="rounded-card border border-line p-3.5" aria-label={t('withdraw.progress')}>
      {steps.map(({ word, state }, index) => (
        <li
          key={word}
          aria-current={state === 'now' ? 'step' : undefined}
          className={`relative ps-7 ${index < steps.length - 1 ? 'pb-4' : ''}`}
        >
          {index < steps.length - 1 && (
            <span aria-hidden className="absolute start-[0.5625rem] top-5 -bottom-1 w-px bg-line" />
          )}
          <span
            aria-hidden
            className={`absolute start-1 top-1.5 size-2.5 rounded-full forced-color-adjust-none ${DOT[state]}`}
          />
          <span className={state === 'todo' ? 'text-ink-2' : 'font-semibold'}>{t(word)}</span>
          {state === 'done' && <span className="sr-only"> ({t('status.done')})</span>}
        </li>
      ))}
    </ol>
  )
}
