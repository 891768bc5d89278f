'use client'

import type { ReactNode } from 'react'
import type { Currency, Flow } from '#lib/contract/cashier.ts'
import { ProblemScreen, StateScreen } from '../ui/problem-screen.tsx'
import { useChosenCurrency } from './chosen-currency.tsx'
import { CurrencyButton } from './currency-picker.tsx'
import { FlowSkeleton } from '../ui/skeleton.tsx'
import { useTranslations } from '../context/translations.tsx'

/** A flow for one currency, below a button that changes the currency. */
export function WithCurrency({
  flow,
  children,
}: {
  readonly flow: Flow
  readonly children: (currency: Currency, offered: boolean) => ReactNode
}) {
  const { t } = useTranslations()
  const chosen = useChosenCurrency()
  switch (chosen.state) {
    case 'loading':
      return <FlowSkeleton flow={flow} />
    case 'problem':
      return <ProblemScreen details={chosen.details} retrying={chosen.retrying} onRetry={chosen.retry} />
    case 'empty':
      return <StateScreen testId="no-currencies" title={t('currency.empty.title')} body={t('currency.empty.body')} />
    case 'ready':
      return (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3.5">
          <CurrencyButton currency={chosen.currency} />
          {children(chosen.currency, chosen.offered)}
        </div>
      )
  }
}
