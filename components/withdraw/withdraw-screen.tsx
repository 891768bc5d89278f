'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { lazy, Suspense, useState } from 'react'
import { createAttemptKeys } from '#lib/browser/attempt-key.ts'
import { keys, requestWithdrawal } from '#lib/browser/queries.ts'
import { RequestFailure } from '#lib/browser/request-failure.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import { useNavigation } from '../shell/navigation.tsx'
import { useBffClient } from '../shell/page-runtime.tsx'
import { FlowSkeleton } from '../shell/flow-skeleton.tsx'
import { WithCurrency } from '../shell/with-currency.tsx'
import { WithdrawForm, type Draft, type Order, type Refused } from './withdraw-form.tsx'

/** Fetched while the form is filled in. */
const loadReview = () => import('./review.tsx')
const loadOutcome = () => import('./outcome.tsx')
const Review = lazy(loadReview)
const Outcome = lazy(loadOutcome)

const BLANK: Draft = { amount: '', address: '' }

/** Form, last look, and what became of it; the latter has an address of its own, so that a reload finds it again. */
export function WithdrawScreen() {
  const { ask } = useNavigation()
  const shown = useSearchParams().get('withdrawal')
  const [draft, setDraft] = useState<Draft>(BLANK)
  const [attempts] = useState(() => createAttemptKeys(() => crypto.randomUUID()))
  if (shown !== null)
    return (
      <Suspense fallback={<FlowSkeleton flow="withdraw" />}>
        <Outcome key={shown} id={shown} onDone={() => ask({ withdrawal: null }, 'push')} />
      </Suspense>
    )
  return (
    <WithCurrency flow="withdraw">
      {(currency) => (
        <Request
          key={currency.id}
          currency={currency}
          draft={draft}
          keyFor={attempts.keyFor}
          onDraft={setDraft}
          onRecorded={(id) => {
            attempts.finish()
            setDraft(BLANK)
            ask({ withdrawal: id }, 'push')
          }}
        />
      )}
    </WithCurrency>
  )
}

/** Faults that the form can show where they belong. */
function refusedOf({ code, facts }: RequestFailure): Refused {
  if (code === 'insufficient_balance') return 'insufficient'
  if (code !== 'invalid_request') return null
  return facts.errors?.['wallet_address'] ? 'address' : facts.errors?.['amount'] ? 'amount' : null
}

function Request({
  currency,
  draft,
  keyFor,
  onDraft,
  onRecorded,
}: {
  readonly currency: Currency
  readonly draft: Draft
  readonly keyFor: (request: Readonly<Record<string, string>>) => string
  readonly onDraft: (draft: Draft) => void
  readonly onRecorded: (id: string) => void
}) {
  const client = useBffClient()
  const cache = useQueryClient()
  const [order, setOrder] = useState<Order | null>(null)
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<RequestFailure | null>(null)
  const [refused, setRefused] = useState<Refused>(null)

  const send = async (amount: string, address: string): Promise<void> => {
    const body = { currency_id: currency.id, amount, wallet_address: address }
    setSending(true)
    setFailure(null)
    try {
      const withdrawal = await requestWithdrawal(client, body, keyFor(body))
      cache.setQueryData(keys.withdrawal(withdrawal.id), withdrawal)
      onRecorded(withdrawal.id)
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      const { withdrawalId } = error.facts
      if (withdrawalId !== undefined) {
        onRecorded(withdrawalId)
        return
      }
      const field = refusedOf(error)
      setRefused(field)
      setFailure(field === null ? error : null)
      if (field !== null) setOrder(null)
    } finally {
      setSending(false)
      for (const queryKey of [keys.balances, keys.transactions]) void cache.invalidateQueries({ queryKey })
    }
  }

  if (order === null)
    return (
      <WithdrawForm
        currency={currency}
        draft={draft}
        refused={refused}
        onChange={(next) => {
          void loadReview()
          void loadOutcome()
          setRefused(null)
          onDraft(next)
        }}
        onReview={setOrder}
      />
    )
  return (
    <Suspense fallback={<FlowSkeleton flow="withdraw" />}>
      <Review
        currency={currency}
        order={order}
        sending={sending}
        failure={failure}
        onBack={() => {
          setFailure(null)
          setOrder(null)
        }}
        onSend={() => void send(order.amount, order.address)}
      />
    </Suspense>
  )
}
