'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { lazy, Suspense, useState, useSyncExternalStore, useTransition } from 'react'
import { keys, requestWithdrawal } from '#lib/browser/queries.ts'
import { RequestFailure } from '#lib/browser/request-failure.ts'
import type { WithdrawalAttempt } from '#lib/browser/withdrawal-attempt.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import type { WithdrawalBody } from '#lib/contract/cashier-requests.ts'
import { useNavigation } from '../shell/navigation.tsx'
import { useBffClient } from '../shell/page-runtime.tsx'
import { useSession } from '../context/session.tsx'
import { FlowSkeleton } from '../shell/flow-skeleton.tsx'
import { WithCurrency } from '../shell/with-currency.tsx'
import { sessionAttempt } from './session-attempt.ts'
import { WithdrawForm, type Draft, type RejectedField, type WithdrawalDetails } from './withdraw-form.tsx'

/** Loaded while the user fills in the form. */
const loadReview = () => import('./review.tsx')
const loadOutcome = () => import('./outcome-screen.tsx')
const Review = lazy(loadReview)
const OutcomeScreen = lazy(loadOutcome)

const BLANK: Draft = { amount: '', address: '' }

/** Form, review and outcome. The outcome has its own URL, so that it survives a reload. */
export function WithdrawScreen() {
  const { setQuery } = useNavigation()
  const { id: sessionId } = useSession()
  const shown = useSearchParams().get('withdrawal')
  const [draft, setDraft] = useState<Draft>(BLANK)
  const [attempt] = useState(() => sessionAttempt(sessionId))
  if (shown !== null)
    return (
      <Suspense fallback={<FlowSkeleton flow="withdraw" />}>
        <OutcomeScreen
          key={shown}
          id={shown}
          onShown={() => attempt.show(shown)}
          onDone={() => setQuery({ withdrawal: null }, 'push')}
        />
      </Suspense>
    )
  return (
    <WithCurrency flow="withdraw">
      {(currency) => (
        <NewWithdrawal
          key={currency.id}
          currency={currency}
          draft={draft}
          attempt={attempt}
          onDraft={setDraft}
          onRecorded={(id) => {
            attempt.record(id)
            setDraft(BLANK)
            setQuery({ withdrawal: id }, 'push')
          }}
        />
      )}
    </WithCurrency>
  )
}

/** Errors that the form shows at a field. */
function rejectedFieldOf({ code, details }: RequestFailure): RejectedField {
  if (code === 'insufficient_balance') return 'insufficient'
  if (code !== 'invalid_request') return null
  return details.errors?.['wallet_address'] ? 'address' : details.errors?.['amount'] ? 'amount' : null
}

function NewWithdrawal({
  currency,
  draft,
  attempt,
  onDraft,
  onRecorded,
}: {
  readonly currency: Currency
  readonly draft: Draft
  readonly attempt: WithdrawalAttempt
  readonly onDraft: (draft: Draft) => void
  readonly onRecorded: (id: string) => void
}) {
  const client = useBffClient()
  const cache = useQueryClient()
  const state = useSyncExternalStore(attempt.subscribe, attempt.get, attempt.get)
  const [details, setDetails] = useState<WithdrawalDetails | null>(null)
  const [rejected, setRejected] = useState<RejectedField>(null)
  const [opening, startOpening] = useTransition()

  const send = async (body: WithdrawalBody): Promise<void> => {
    const key = await attempt.start(body)
    if (key === null) return
    try {
      const withdrawal = await requestWithdrawal(client, body, key)
      cache.setQueryData(keys.withdrawal(withdrawal.id), withdrawal)
      onRecorded(withdrawal.id)
    } catch (error) {
      const failure =
        error instanceof RequestFailure ? error : new RequestFailure('internal', { requestId: null }, error)
      const { withdrawalId } = failure.details
      if (withdrawalId !== undefined) {
        onRecorded(withdrawalId)
        return
      }
      attempt.fail(failure)
      const field = rejectedFieldOf(failure)
      setRejected(field)
      if (field !== null) backToForm()
      if (failure !== error) throw error
    } finally {
      for (const queryKey of [keys.balances, keys.transactions]) void cache.invalidateQueries({ queryKey })
    }
  }
  const backToForm = (): void => {
    attempt.edit()
    setDetails(null)
  }

  if (details === null)
    return (
      <WithdrawForm
        currency={currency}
        draft={draft}
        rejected={rejected}
        opening={opening}
        onTouch={() => {
          void loadReview()
          void loadOutcome()
        }}
        onChange={(next) => {
          setRejected(null)
          onDraft(next)
        }}
        onReview={(reviewed) => {
          attempt.edit()
          // In a transition the form stays until the review is loaded.
          startOpening(() => setDetails(reviewed))
        }}
      />
    )
  return (
    <Suspense fallback={<FlowSkeleton flow="withdraw" />}>
      <Review
        currency={currency}
        request={{ currency_id: currency.id, amount: details.amount, wallet_address: details.address }}
        attempt={attempt}
        sending={state.phase === 'sending' || state.phase === 'recorded'}
        failure={state.phase === 'failed' ? state.failure : null}
        onBack={backToForm}
        onSend={send}
      />
    </Suspense>
  )
}
