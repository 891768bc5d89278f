'use client'

import { useQuery } from '@tanstack/react-query'
import ExternalLink from 'lucide-react/icons/external-link'
import { explorerUrl } from '#lib/addresses/explorer.ts'
import { transactionsQuery } from '#lib/browser/queries.ts'
import { sessionDeposits, SESSION_DEPOSITS_QUERY, type SessionDeposit } from '#lib/browser/session-deposits.ts'
import { STATUS_LOOKS } from '#lib/browser/transaction-status.ts'
import { useLive } from '../shell/live.ts'
import { useBffClient } from '../shell/page-runtime.tsx'
import { useSession } from '../shell/session.tsx'
import { useWords } from '../shell/words.tsx'
import { Amount } from '../ui/amount.tsx'
import { Steps } from '../ui/steps.tsx'
import { Time } from '../ui/time.tsx'
import { Pill } from '../ui/tone.tsx'

/** Deposits since this session began, from the first sight on the network to the balance. */
export function LiveDeposits() {
  const { t } = useWords()
  const { startedAt } = useSession()
  const { data } = useQuery(transactionsQuery(useBffClient(), SESSION_DEPOSITS_QUERY))
  const deposits = sessionDeposits(data, useLive(), startedAt)
  return (
    <section aria-label={t('deposit.live')} className="grid gap-2.5">
      <h2 className="text-s font-semibold text-ink-2">{t('deposit.live')}</h2>
      {deposits.length === 0 ? (
        <p className="grid min-h-23 place-items-center rounded-card border border-dashed border-line text-s text-ink-2">
          {t('deposit.none')}
        </p>
      ) : (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-2.5" data-testid="live-deposits">
          {deposits.map((deposit) => (
            <DepositCard key={deposit.key} deposit={deposit} />
          ))}
        </ul>
      )}
    </section>
  )
}

const STEP_OF = { pending: 1, processing: 2, succeeded: 3 } as const

function DepositCard({ deposit }: { readonly deposit: SessionDeposit }) {
  const { t } = useWords()
  const look = STATUS_LOOKS.deposit[deposit.status]
  const step = Object.entries(STEP_OF).find(([status]) => status === deposit.status)?.[1]
  const explorer = deposit.txHash === null ? null : explorerUrl(deposit.network, deposit.txHash)
  return (
    <li
      className="grid min-h-23 grid-cols-[minmax(0,1fr)] gap-2.5 rounded-card border border-line p-3.5"
      data-testid="deposit"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <b className="min-w-0 font-semibold">
          <Amount value={deposit.amount} code={deposit.code} sign="+" />
        </b>
        <Pill tone={look.tone}>{t(look.word)}</Pill>
      </div>
      {step !== undefined && (
        <Steps
          label={t('deposit.steps')}
          names={[t('status.detected'), t('status.confirming'), t('status.credited')]}
          done={step}
        />
      )}
      <div className="flex flex-wrap justify-between gap-2 text-s text-ink-2">
        <span>
          <Time iso={deposit.at} style="time" /> · {deposit.network}
        </span>
        {explorer !== null && (
          <a
            href={explorer}
            target="_blank"
            rel="noopener noreferrer"
            className="inline-flex min-h-6 items-center gap-1 font-semibold text-accent"
          >
            {t('deposit.explorer')}
            <ExternalLink aria-hidden size={14} />
            <span className="sr-only">{t('common.newTab')}</span>
          </a>
        )}
      </div>
    </li>
  )
}
