'use client'

import { Suspense } from 'react'
import { useTranslations } from '../context/translations.tsx'
import { useSessionDeposits } from '../shell/use-arrivals.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { WholeEnd } from '../ui/whole-end.tsx'

/** Loaded with the first deposit: most pages open without one. */
const DepositCard = lazyPart(() => import('./deposit-card.tsx'))

/** Deposits since this session started, from their detection to the credit. */
export function LiveDeposits() {
  const { t } = useTranslations()
  const deposits = useSessionDeposits()
  return (
    <section aria-label={t('deposit.live')} className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
      <h2 className="text-s font-semibold text-ink-2">{t('deposit.live')}</h2>
      {deposits.length === 0 ? (
        <p className="shown-whole grid min-h-deposit place-items-center rounded-card border border-dashed border-line px-3.5 py-3 text-center text-s text-ink-2">
          <span>{t('deposit.none')}</span>
          <WholeEnd />
        </p>
      ) : (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-2.5" data-testid="live-deposits">
          {/* One boundary for all cards: a card that appears first would move the placeholders of the others. */}
          <Suspense
            fallback={deposits.map(({ key }) => (
              <li key={key}>
                <Skeleton className="min-h-deposit rounded-card" />
              </li>
            ))}
          >
            {deposits.map((deposit) => (
              <DepositCard key={deposit.key} deposit={deposit} />
            ))}
          </Suspense>
        </ul>
      )}
    </section>
  )
}
