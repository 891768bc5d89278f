'use client'

import { Component, Suspense, useEffect, type ReactNode } from 'react'
import { useSession } from '#components/context/session.tsx'
import { useTranslations } from '#components/context/translations.tsx'
import { FlowSkeleton } from '#components/shell/flow-skeleton.tsx'
import { preloadFlow, setFlowPreloads } from '#components/shell/flow-preloads.ts'
import { flowPath } from '#components/shell/flow-path.ts'
import { useLocation } from '#components/shell/location.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import PageError from './error.tsx'

const SCREENS = {
  deposit: lazyPart(async () => ({ default: (await import('#components/deposit/deposit-screen.tsx')).DepositScreen })),
  withdraw: lazyPart(async () => ({
    default: (await import('#components/withdraw/withdraw-screen.tsx')).WithdrawScreen,
  })),
  buy: lazyPart(async () => ({ default: (await import('#components/buy/buy-screen.tsx')).BuyScreen })),
  history: lazyPart(async () => ({ default: (await import('#components/history/history-screen.tsx')).HistoryScreen })),
}

/** After the first screen has what it needs: on a slow line the other flows would compete with it. */
const PRELOAD_AFTER_MS = 6000

/**
 * The flow of the page's address. The server renders the first one, `children`, with its data; the others are drawn in the
 * browser, so that a change of flow needs no document.
 */
export function FlowScreens({ children }: { readonly children: ReactNode }) {
  const { id, flows } = useSession()
  const { t } = useTranslations()
  const { path, renderedPath } = useLocation()
  const shown = flows.find((flow) => flowPath(id, flow) === path)

  useEffect(() => {
    setFlowPreloads({
      deposit: SCREENS.deposit.preload,
      withdraw: SCREENS.withdraw.preload,
      buy: SCREENS.buy.preload,
      history: SCREENS.history.preload,
    })
    const timer = setTimeout(() => {
      for (const flow of flows) if (flowPath(id, flow) !== renderedPath) preloadFlow(flow)
    }, PRELOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [id, flows, renderedPath])
  useEffect(() => {
    if (shown) document.title = `${t(`flow.${shown}`)} · ${t('shell.title')}`
  }, [shown, t])

  if (path === renderedPath || !shown) return children
  const Screen = SCREENS[shown]
  return (
    <ScreenBoundary key={shown}>
      <Suspense fallback={<FlowSkeleton flow={shown} />}>
        <Screen />
      </Suspense>
    </ScreenBoundary>
  )
}

/** What Next's boundary is for the screen that the server rendered. */
class ScreenBoundary extends Component<{ readonly children: ReactNode }, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    const { error } = this.state
    return error ? <PageError error={error} reset={() => this.setState({ error: null })} /> : this.props.children
  }
}
