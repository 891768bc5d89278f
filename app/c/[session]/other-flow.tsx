'use client'

import { Component, type ReactNode } from 'react'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import type { Flow } from '#lib/contract/cashier.ts'
import PageError from './error.tsx'

/** Not loaded in advance with the other parts: only the session's flows are, through `preload`. */
const BY_NAME = { whenIdle: false }

const SCREENS = {
  deposit: lazyPart(
    async () => ({ default: (await import('#components/deposit/deposit-screen.tsx')).DepositScreen }),
    BY_NAME,
  ),
  withdraw: lazyPart(
    async () => ({ default: (await import('#components/withdraw/withdraw-screen.tsx')).WithdrawScreen }),
    BY_NAME,
  ),
  buy: lazyPart(async () => ({ default: (await import('#components/buy/buy-screen.tsx')).BuyScreen }), BY_NAME),
  history: lazyPart(
    async () => ({ default: (await import('#components/history/history-screen.tsx')).HistoryScreen }),
    BY_NAME,
  ),
}

export const preload = (flow: Flow): void => SCREENS[flow].preload()

/** A flow that the server did not render. Its data comes from the page's cache or is requested. */
export default function OtherFlow({ flow }: { readonly flow: Flow }) {
  const Screen = SCREENS[flow]
  return (
    <ScreenBoundary>
      <Screen />
    </ScreenBoundary>
  )
}

/** Does what Next's error boundary does for the screen that the server rendered. */
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
