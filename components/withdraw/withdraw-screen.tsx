'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState, useSyncExternalStore, useTransition } from 'react'
import { EXPECTATIONS_KEY } from '#lib/browser/expectations.ts'
import { currencyMeaning, keys, requestWithdrawal } from '#lib/browser/queries.ts'
import { RequestFailure } from '#lib/browser/request-failure.ts'
import type { WithdrawalAttempt } from '#lib/browser/withdrawal-attempt.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import type { WithdrawalBody } from '#lib/contract/cashier-requests.ts'
import { useDraft } from '../shell/use-draft.tsx'
import { useQueryParameter } from '../context/location.tsx'
import { useNavigation } from '../context/navigation.tsx'
import { useBffClient } from '../context/page-runtime.tsx'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { SkeletonAtStart } from '../ui/skeleton.tsx'
import { WithCurrency } from '../currency-picker/with-currency.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Notice } from '../ui/tone.tsx'
import { REQUEST_MESSAGES } from './request-messages.ts'
import { refusedFieldOf, rejectedFieldOf, type RejectedField } from './rejected-field.ts'
import { sessionAttempt } from './session-attempt.ts'
import { WithdrawForm, type Draft, type WithdrawalDetails } from './withdraw-form.tsx'

/** Loaded while the user fills in the form. */
const Review = lazyPart(() => import('./review.tsx'))
const OutcomeScreen = lazyPart(() => import('./outcome-screen.tsx'))

const BLANK: Draft = { amount: '', address: '' }

/** Form, review and outcome. The outcome has its own URL, so that it survives a reload. */
export function WithdrawScreen() {
  const { setQuery } = useNavigation()
  const { id: sessionId } = useSession()
  const { marks } = useTranslations()
  const shown = useQueryParameter('withdrawal')
  const [draft, setDraft] = useDraft(BLANK)
  const [attempt] = useState(() => sessionAttempt(sessionId))
  const [openedWith] = useState(shown)
  if (shown !== null)
    return (
      <SkeletonAtStart flow="withdraw" atStart={shown === openedWith}>
        <OutcomeScreen
          key={shown}
          id={shown}
          onShown={() => attempt.show(shown)}
          onDone={() => setQuery({ withdrawal: null }, 'push')}
          onAgain={(currency, { amount, wallet_address: address }) => {
            setDraft({ amount: amount.replace('.', marks.decimal), address })
            setQuery({ withdrawal: null, currency: currency.id }, 'push')
          }}
        />
      </SkeletonAtStart>
    )
  return (
    <WithCurrency flow="withdraw">
      {(currency) => (
        <NewWithdrawal
          key={currencyMeaning(currency)}
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
  const { t } = useTranslations()
  const client = useBffClient()
  const cache = useQueryClient()
  const state = useSyncExternalStore(attempt.subscribe, attempt.get, attempt.get)
  const [details, setDetails] = useState<WithdrawalDetails | null>(null)
  const [rejected, setRejected] = useState<RejectedField | null>(null)
  const [opening, startOpening] = useTransition()
  /** Other details would be a second withdrawal. */
  const unclear = attempt.unclear()

  /** Reads the balances, which the form shows. False if that failed: the form would then see no reason to refuse. */
  const readBalances = async (): Promise<boolean> => {
    await cache.refetchQueries({ queryKey: keys.balances })
    return cache.getQueryState(keys.balances)?.status !== 'error'
  }
  const send = async (body: WithdrawalBody): Promise<void> => {
    const key = await attempt.start(body)
    if (key === null) return
    try {
      const withdrawal = await requestWithdrawal(client, body, key)
      // Its first result, also for a repeat: the outcome reads it again at once.
      cache.setQueryData(keys.withdrawal(withdrawal.id), withdrawal, { updatedAt: 0 })
      const field = refusedFieldOf(withdrawal)
      if (field === null) {
        onRecorded(withdrawal.id)
        return
      }
      // The form shows the reason and keeps the typed values. The next request is another withdrawal.
      attempt.record(withdrawal.id)
      attempt.show(withdrawal.id)
      rejectAt(field)
    } catch (error) {
      const failure =
        error instanceof RequestFailure ? error : new RequestFailure('internal', { requestId: null }, error)
      const { withdrawalId } = failure.details
      if (withdrawalId !== undefined) {
        onRecorded(withdrawalId)
        return
      }
      const field = rejectedFieldOf(failure)
      const isShownByForm = field !== 'insufficient' || (await readBalances())
      attempt.fail(failure)
      if (field !== null && isShownByForm) rejectAt(field)
      if (failure !== error) throw error
    } finally {
      for (const queryKey of [keys.balances, keys.transactions, EXPECTATIONS_KEY])
        void cache.invalidateQueries({ queryKey })
    }
  }
  const backToForm = (): void => {
    attempt.edit()
    setDetails(null)
  }
  const rejectAt = (field: RejectedField): void => {
    setRejected(field)
    backToForm()
  }

  if (details === null)
    return (
      <>
        {unclear && (
          <Notice tone={REQUEST_MESSAGES[unclear.code].tone}>{t(REQUEST_MESSAGES[unclear.code].message)}</Notice>
        )}
        <WithdrawForm
          currency={currency}
          draft={draft}
          rejected={rejected}
          opening={opening}
          onTouch={() => {
            Review.preload()
            OutcomeScreen.preload()
          }}
          onChange={(next) => {
            setRejected(null)
            // Cancels a review of the previous values that is still being loaded.
            setDetails(null)
            onDraft(next)
          }}
          onReview={(reviewed) => {
            attempt.edit()
            // In a transition without a boundary around the review, the form stays until the review is loaded.
            startOpening(() => setDetails(reviewed))
          }}
        />
      </>
    )
  return (
    <Review
      currency={currency}
      request={{ currency_id: currency.id, amount: details.amount, wallet_address: details.address }}
      attempt={attempt}
      sending={state.phase === 'sending' || state.phase === 'recorded'}
      failure={state.phase === 'failed' ? state.failure : null}
      onBack={backToForm}
      onSend={send}
    />
  )
}
