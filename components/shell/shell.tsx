'use client'

import { useEffect, type ReactNode } from 'react'
import { useChosenCurrency } from '../currency-picker/chosen-currency.tsx'
import { ConnectionLine } from './connection-line.tsx'
import { CHOOSE, CurrencyLinks } from '../currency-picker/currency-links.tsx'
import { FlowSkeleton } from '../ui/skeleton.tsx'
import { FlowTabs } from './flow-tabs.tsx'
import { useFrame } from './frame.tsx'
import { Header } from './header.tsx'
import { HydrationReport } from './hydration-report.tsx'
import { useQueryParameter } from '../context/location.tsx'
import { useNavigation } from '../context/navigation.tsx'
import { PageTitle } from './page-title.tsx'
import { useTranslations } from '../context/translations.tsx'
import { useHydrated } from '../ui/hydrated.ts'
import { cookieConfirmed } from '#lib/embed/frame/write-page.ts'

export function Shell({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslations()
  const { flow, pending } = useNavigation()
  const frame = useFrame()
  const chosen = useChosenCurrency()
  const choosing = useQueryParameter(CHOOSE.name) === CHOOSE.value
  const hydrated = useHydrated()
  useEffect(() => void cookieConfirmed().then(() => frame?.send({ type: 'ready' })), [frame])
  return (
    <div data-scripts={hydrated ? 'on' : 'off'} className="page">
      <a
        href="#flow"
        className="sr-only focus:not-sr-only focus:absolute focus:start-4 focus:top-2 focus:z-10 focus:rounded-small focus:bg-surface focus:px-3 focus:py-2"
      >
        {t('shell.skip')}
      </a>
      {!hydrated && (
        // Shown by app/missing-scripts.ts.
        <p
          id="scripts-missing"
          hidden
          role="alert"
          className="notice sticky top-2 z-10 mx-5 mt-4 rounded-small bg-wait-soft px-3.5 py-3 text-s"
          suppressHydrationWarning
        >
          {t('problem.scriptsMissing')}
        </p>
      )}
      <PageTitle />
      <Header />
      <FlowTabs />
      <main id="flow" tabIndex={-1} aria-busy={pending || undefined} className="@container px-5 pt-4 pb-5 outline-none">
        {flow && <h1 className="sr-only">{t(`flow.${flow}`)}</h1>}
        {pending && flow ? (
          <FlowSkeleton flow={flow} />
        ) : choosing && chosen.state === 'ready' ? (
          <CurrencyLinks currencies={chosen.currencies} />
        ) : (
          children
        )}
      </main>
      <footer className="px-5 pb-4">
        <ConnectionLine />
        <HydrationReport />
      </footer>
    </div>
  )
}
