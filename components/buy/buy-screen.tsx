'use client'

import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { keys, startOnramp } from '#lib/browser/queries.ts'
import { RequestFailure } from '#lib/browser/request-failure.ts'
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

function Purchase({ currency }: { readonly currency: Currency }) {
  const client = useBffClient()
  const cache = useQueryClient()
  const [session, setSession] = useState<OnrampSession | null>(null)
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<RequestFailure | null>(null)

  const start = async (details: PurchaseDetails): Promise<void> => {
    void loadProviderFrame()
    setSending(true)
    setFailure(null)
    try {
      setSession(await startOnramp(client, { currency_id: currency.id, ...details }))
      void cache.invalidateQueries({ queryKey: keys.transactions })
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      setFailure(error)
    } finally {
      setSending(false)
    }
  }

  if (session === null)
    return <BuyForm sending={sending} failure={failure} onSubmit={(details) => void start(details)} />
  return (
    <Suspense fallback={<FlowSkeleton flow="buy" />}>
      <ProviderFrame session={session} code={currency.currency_code} onDone={() => setSession(null)} />
    </Suspense>
  )
}
