'use client'

import { HydrationBoundary, type DehydratedState } from '@tanstack/react-query'
import { Suspense, use, useState, type ReactNode } from 'react'
import type { Catalogue } from '#lib/i18n/translator.ts'
import { AnnouncerProvider } from '../ui/announcer.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import type { ProblemDetails } from '../ui/problem-screen.tsx'
import { ChosenCurrencyProvider, useChosenCurrency } from '../currency-picker/chosen-currency.tsx'
import { CurrencyPickerProvider } from '../currency-picker/currency-picker.tsx'
import { DraftsProvider } from './use-draft.tsx'
import { FrameProvider } from './frame.tsx'
import { AppearanceProvider } from './appearance.tsx'
import { LocationProvider } from '../context/location.tsx'
import { NavigationProvider } from '../context/navigation.tsx'
import { PageRuntimeProvider } from '../context/page-runtime.tsx'
import { SessionProvider, type SessionView } from '../context/session.tsx'
import { Shell } from './shell.tsx'
import { ShellSkeleton } from './shell-skeleton.tsx'
import { StreamEffects } from './stream-effects.tsx'

const SessionEnded = lazyPart(() => import('./session-ended.tsx'))

/** The data with which the server rendered, for React Query, and why it has no currencies. */
export interface RenderedData {
  readonly state: DehydratedState
  readonly currenciesFailure: ProblemDetails | null
}

export interface CashierAppProps {
  readonly session: SessionView
  readonly catalogue: Catalogue
  /** A promise if the server is still loading the data; it arrives in the same response. */
  readonly data: RenderedData | Promise<RenderedData>
  readonly renderedAt: string
  readonly streamPosition: string | null
  readonly embedOrigins: readonly string[]
  readonly children: ReactNode
}

/** Everything around a flow: providers, header, tabs and footer. */
export function CashierApp(props: CashierAppProps) {
  const { session, catalogue, data, renderedAt, streamPosition, embedOrigins, children } = props
  const [ended, setEnded] = useState(false)
  return (
    <SessionProvider value={session}>
      <FrameProvider embedOrigins={embedOrigins}>
        <AppearanceProvider rendered={catalogue}>
          <AnnouncerProvider>
            {ended ? (
              <Suspense>
                <SessionEnded
                  supportUrl={session.supportUrl}
                  returnUrl={session.returnUrl}
                  merchantName={session.merchantName}
                />
              </Suspense>
            ) : (
              <PageRuntimeProvider
                sessionId={session.id}
                renderedAt={renderedAt}
                position={streamPosition}
                onEnd={() => setEnded(true)}
              >
                <LocationProvider>
                  <DraftsProvider>
                    <WithData data={data}>
                      <Navigation>
                        <CurrencyPickerProvider>
                          <StreamEffects />
                          <Shell>{children}</Shell>
                        </CurrencyPickerProvider>
                      </Navigation>
                    </WithData>
                  </DraftsProvider>
                </LocationProvider>
              </PageRuntimeProvider>
            )}
          </AnnouncerProvider>
        </AppearanceProvider>
      </FrameProvider>
    </SessionProvider>
  )
}

/** No boundary if the data is ready: streamed content in a boundary appears only after a script has run. */
function WithData({ data, children }: Pick<CashierAppProps, 'data' | 'children'>) {
  if (!('then' in data)) return <Hydrated data={data}>{children}</Hydrated>
  return (
    <Suspense fallback={<ShellSkeleton />}>
      <Coming data={data}>{children}</Coming>
    </Suspense>
  )
}

const Coming = ({ data, children }: { readonly data: Promise<RenderedData>; readonly children: ReactNode }) => (
  <Hydrated data={use(data)}>{children}</Hydrated>
)

const Hydrated = ({ data, children }: { readonly data: RenderedData; readonly children: ReactNode }) => (
  <HydrationBoundary state={data.state}>
    <ChosenCurrencyProvider serverFailure={data.currenciesFailure}>{children}</ChosenCurrencyProvider>
  </HydrationBoundary>
)

/** Links to a flow keep the currency of the screen. */
function Navigation({ children }: { readonly children: ReactNode }) {
  const chosen = useChosenCurrency()
  const currency = chosen.state === 'ready' && chosen.offered ? chosen.currency.id : null
  return <NavigationProvider currency={currency}>{children}</NavigationProvider>
}
