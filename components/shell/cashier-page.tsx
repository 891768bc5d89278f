'use client'

import { HydrationBoundary, type DehydratedState } from '@tanstack/react-query'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { Catalogue } from '#lib/i18n/translator.ts'
import { AnnouncerProvider } from '../ui/announcer.tsx'
import type { ProblemFacts } from '../ui/problem.tsx'
import { ChosenCurrencyProvider } from './chosen-currency.tsx'
import { CurrencySwitchProvider } from './currency-switch.tsx'
import { FrameProvider } from './frame.tsx'
import { Looks } from './looks.tsx'
import { NavigationProvider } from './navigation.tsx'
import { PageRuntimeProvider } from './page-runtime.tsx'
import { SessionProvider, type SessionView } from './session.tsx'
import { Shell } from './shell.tsx'
import { StreamNews } from './stream-news.tsx'
import { ZoneNote } from './zone-note.tsx'

const SessionEnded = lazy(() => import('./session-ended.tsx'))

export interface CashierPageProps {
  readonly session: SessionView
  readonly catalogue: Catalogue
  /** What the server drew with, for React Query. */
  readonly state: DehydratedState
  readonly currenciesFailure: ProblemFacts | null
  readonly drawnAt: string
  readonly streamPosition: string | null
  readonly embedOrigins: readonly string[]
  readonly children: ReactNode
}

/** Everything around a flow, from the merchant's frame to the connection line. */
export function CashierPage(props: CashierPageProps) {
  const { session, catalogue, state, currenciesFailure, drawnAt, streamPosition, embedOrigins, children } = props
  const [ended, setEnded] = useState(false)
  return (
    <SessionProvider value={session}>
      <FrameProvider embedOrigins={embedOrigins}>
        <Looks drawn={catalogue}>
          <AnnouncerProvider>
            {ended ? (
              <Suspense>
                <SessionEnded supportUrl={session.supportUrl} returnUrl={session.returnUrl} />
              </Suspense>
            ) : (
              <PageRuntimeProvider
                sessionId={session.id}
                drawnAt={drawnAt}
                position={streamPosition}
                onEnd={() => setEnded(true)}
              >
                <HydrationBoundary state={state}>
                  <ChosenCurrencyProvider drawnFailure={currenciesFailure}>
                    <NavigationProvider>
                      <CurrencySwitchProvider>
                        <StreamNews />
                        <ZoneNote />
                        <Shell>{children}</Shell>
                      </CurrencySwitchProvider>
                    </NavigationProvider>
                  </ChosenCurrencyProvider>
                </HydrationBoundary>
              </PageRuntimeProvider>
            )}
          </AnnouncerProvider>
        </Looks>
      </FrameProvider>
    </SessionProvider>
  )
}
