'use client'

import { HydrationBoundary, type DehydratedState } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import type { Catalogue } from '#lib/i18n/translator.ts'
import { AnnouncerProvider } from '../ui/announcer.tsx'
import type { ProblemDetails } from '../ui/problem-screen.tsx'
import { ChosenCurrencyProvider } from './chosen-currency.tsx'
import { CurrencyPickerProvider } from './currency-picker.tsx'
import { FrameProvider } from './frame.tsx'
import { AppearanceProvider } from './appearance.tsx'
import { NavigationProvider } from './navigation.tsx'
import { PageRuntimeProvider } from './page-runtime.tsx'
import { SessionProvider, type SessionView } from '../context/session.tsx'
import { Shell } from './shell.tsx'
import { StreamEffects } from './stream-effects.tsx'

const SessionEnded = lazy(() => import('./session-ended.tsx'))

export interface CashierAppProps {
  readonly session: SessionView
  readonly catalogue: Catalogue
  /** The data that the server rendered with, for React Query. */
  readonly state: DehydratedState
  readonly currenciesFailure: ProblemDetails | null
  readonly renderedAt: string
  readonly streamPosition: string | null
  readonly embedOrigins: readonly string[]
  readonly children: ReactNode
}

/** Everything around a flow: providers, header, tabs and footer. */
export function CashierApp(props: CashierAppProps) {
  const { session, catalogue, state, currenciesFailure, renderedAt, streamPosition, embedOrigins, children } = props
  const [ended, setEnded] = useState(false)
  return (
    <SessionProvider value={session}>
      <FrameProvider embedOrigins={embedOrigins}>
        <AppearanceProvider rendered={catalogue}>
          <AnnouncerProvider>
            {ended ? (
              <Suspense>
                <SessionEnded supportUrl={session.supportUrl} returnUrl={session.returnUrl} />
              </Suspense>
            ) : (
              <PageRuntimeProvider
                sessionId={session.id}
                renderedAt={renderedAt}
                position={streamPosition}
                onEnd={() => setEnded(true)}
              >
                <HydrationBoundary state={state}>
                  <ChosenCurrencyProvider serverFailure={currenciesFailure}>
                    <NavigationProvider>
                      <CurrencyPickerProvider>
                        <StreamEffects />
                        <TimeZoneCookie />
                        <Shell>{children}</Shell>
                      </CurrencyPickerProvider>
                    </NavigationProvider>
                  </ChosenCurrencyProvider>
                </HydrationBoundary>
              </PageRuntimeProvider>
            )}
          </AnnouncerProvider>
        </AppearanceProvider>
      </FrameProvider>
    </SessionProvider>
  )
}

/** Stores the reader's time zone, so that the next server rendering has the reader's times. Optional, and no secret. */
function TimeZoneCookie() {
  useEffect(() => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    document.cookie = `cashier-zone=${timeZone}; Path=/; Max-Age=31536000; SameSite=None; Secure; Partitioned`
  }, [])
  return null
}
