'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { keys, startOnramp } from '#lib/browser/queries.ts'
import { RequestFailure } from '#lib/browser/request-failure.ts'
import { shownTheme } from '#lib/browser/purchases.ts'
import type { Currency, StartedOnramp } from '#lib/contract/cashier.ts'
import { useQueryParameter } from '../context/location.tsx'
import { useNavigation } from '../context/navigation.tsx'
import { useBffClient } from '../context/page-runtime.tsx'
import { SkeletonAtStart } from '../ui/skeleton.tsx'
import { WithCurrency } from '../currency-picker/with-currency.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { BuyForm, type PurchaseDetails } from './buy-form.tsx'

const PurchaseScreen = lazyPart(() => import('./purchase-screen.tsx'))

/** Form and purchase. The purchase has its own URL, so that a user who left can come back to it. */
export function BuyScreen() {
  const { setQuery } = useNavigation()
  const shown = useQueryParameter('purchase')
  const [openedWith] = useState(shown)
  if (shown !== null)
    return (
      <SkeletonAtStart flow="buy" atStart={shown === openedWith}>
        <PurchaseScreen
          key={shown}
          id={shown}
          onDone={() => setQuery({ purchase: null }, 'push')}
          onGone={() => setQuery({ purchase: null })}
        />
      </SkeletonAtStart>
    )
  return (
    <WithCurrency flow="buy">
      {(currency) => (
        <NewPurchase
          currency={currency}
          onStarted={(id) => setQuery({ currency: currency.id, purchase: id }, 'push')}
        />
      )}
    </WithCurrency>
  )
}

interface Failed {
  readonly currencyId: string
  readonly failure: RequestFailure
}

/** The typed values stay when the user chooses another currency. */
function NewPurchase({
  currency,
  onStarted,
}: {
  readonly currency: Currency
  readonly onStarted: (id: string) => void
}) {
  const client = useBffClient()
  const cache = useQueryClient()
  const [sendingFor, setSendingFor] = useState<string | null>(null)
  const [failed, setFailed] = useState<Failed | null>(null)
  const shown = useRef<string | null>(null)
  useEffect(() => {
    shown.current = currency.id
    return () => {
      shown.current = null
    }
  }, [currency.id])
  /** The user is still at the form that was sent. */
  const isShown = (): boolean => shown.current === currency.id

  const start = async (details: PurchaseDetails): Promise<void> => {
    PurchaseScreen.preload()
    setSendingFor(currency.id)
    setFailed(null)
    try {
      const theme = shownTheme(window)
      const session = await startOnramp(client, { currency_id: currency.id, theme, ...details })
      const { currency_code } = currency
      const started = { ...session, currency: currency_code, wallet_address: details.wallet_address ?? null }
      cache.setQueryData<StartedOnramp>(keys.startedOnramp(session.id), started)
      void cache.invalidateQueries({ queryKey: keys.transactions })
      // The form stays busy until the purchase is on the screen. A user who left finds the purchase in the history.
      if (isShown()) onStarted(session.id)
    } catch (error) {
      setSendingFor(null)
      if (!(error instanceof RequestFailure)) throw error
      setFailed({ currencyId: currency.id, failure: error })
    }
  }

  return (
    <BuyForm
      currency={currency}
      sending={sendingFor === currency.id}
      failure={failed?.currencyId === currency.id ? failed.failure : null}
      onChange={() => {
        PurchaseScreen.preload()
        setFailed(null)
      }}
      onSubmit={(details) => void start(details)}
    />
  )
}
