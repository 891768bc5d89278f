'use client'

import { useQueryClient } from '@tanstack/react-query'
import { lazy, startTransition, Suspense, useState } from 'react'
import { keys, startOnramp } from '#lib/browser/queries.ts'
import { RequestFailure } from '#lib/browser/request-failure.ts'
import { shownTheme } from '#lib/browser/shown-theme.ts'
import type { Currency, OnrampSession } from '#lib/contract/cashier.ts'
import { useBffClient } from '../shell/page-runtime.tsx'
import { FlowSkeleton } from '../shell/flow-skeleton.tsx'
import { WithCurrency } from '../shell/with-currency.tsx'
import { BuyForm, type PurchaseDetails } from './buy-form.tsx'

const loadProviderFrame = () => import('./provider-frame.tsx')
const ProviderFrame = lazy(loadProviderFrame)

export const BuyScreen = () => (
  <WithCurrency flow="buy">{(currency) => <Purchase key={currency.id} currency={currency} />}</WithCurrency>
)

interface Started {
  readonly session: OnrampSession
  /** The coins go to a wallet of the user's own. */
  readonly ownWallet: boolean
}

function Purchase({ currency }: { readonly currency: Currency }) {
  const client = useBffClient()
  const cache = useQueryClient()
  const [started, setStarted] = useState<Started | null>(null)
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<RequestFailure | null>(null)

  const start = async (details: PurchaseDetails): Promise<void> => {
    void loadProviderFrame()
    setSending(true)
    setFailure(null)
    try {
      const theme = shownTheme(window)
      const session = await startOnramp(client, { currency_id: currency.id, theme, ...details })
      // In a transition the form stays until the provider's frame is loaded.
      startTransition(() => {
        setStarted({ session, ownWallet: details.wallet_address !== undefined })
        setSending(false)
      })
      void cache.invalidateQueries({ queryKey: keys.transactions })
    } catch (error) {
      setSending(false)
      if (!(error instanceof RequestFailure)) throw error
      setFailure(error)
    }
  }

  if (started === null)
    return (
      <BuyForm
        currency={currency}
        sending={sending}
        failure={failure}
        onChange={() => {
          void loadProviderFrame()
          setFailure(null)
        }}
        onSubmit={(details) => void start(details)}
      />
    )
  return (
    <Suspense fallback={<FlowSkeleton flow="buy" />}>
      <ProviderFrame
        session={started.session}
        ownWallet={started.ownWallet}
        code={currency.currency_code}
        onDone={() => setStarted(null)}
      />
    </Suspense>
  )
}
