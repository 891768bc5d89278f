'use client'

import { notifyManager, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { onTheWay, sums, type Arrival } from '#lib/browser/arrivals.ts'
import { liveKey } from '#lib/browser/live-transactions.ts'
import { keys, transactionsPageQuery } from '#lib/browser/queries.ts'
import { sessionDeposits, SESSION_DEPOSITS_QUERY, type SessionDeposit } from '#lib/browser/session-deposits.ts'
import { cashierStatusOf } from '#lib/browser/status-display.ts'
import type { Currency, TransactionsPage } from '#lib/contract/cashier.ts'
import type { TransactionEvent } from '#lib/contract/stream.ts'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { useLiveTransactions } from './live-transactions.ts'
import { useBffClient, useStreamEvents } from './page-runtime.tsx'

/** Deposits since this session started. */
export function useSessionDeposits(): readonly SessionDeposit[] {
  const { startedAt } = useSession()
  const { data } = useQuery(transactionsPageQuery(useBffClient(), SESSION_DEPOSITS_QUERY))
  return sessionDeposits(data, useLiveTransactions(), startedAt)
}

/**
 * What is on its way, as far as the page knows; it asks for nothing. No `useQuery`: a query that is there before the data
 * of the server's answer would keep that data from the screen's first render.
 */
export function useOnTheWay(): readonly Arrival[] {
  const { startedAt } = useSession()
  const live = useLiveTransactions()
  const cache = useQueryClient()
  const known = useSyncExternalStore(
    useCallback((notify) => cache.getQueryCache().subscribe(notifyManager.batchCalls(notify)), [cache]),
    () => cache.getQueryData<TransactionsPage>(keys.transactionsPage(SESSION_DEPOSITS_QUERY)),
    () => undefined,
  )
  return onTheWay(sessionDeposits(known, live, startedAt))
}

/** How long a credit is pointed out, from when the page is looked at. */
const CREDIT_SHOWN_MS = 60_000

const isCredit = ({ kind, status }: TransactionEvent): boolean =>
  kind === 'deposit' && cashierStatusOf(status) === 'succeeded'

/** Deposits that were credited a moment ago, while the component was on the screen. */
export function useCredits(): readonly Arrival[] {
  const [credits, setCredits] = useState<readonly TransactionEvent[]>([])
  useStreamEvents((event) => {
    if (event.type === 'transaction' && isCredit(event.data))
      setCredits((before) => [...before.filter((one) => liveKey(one) !== liveKey(event.data)), event.data])
  })
  useEffect(() => {
    if (credits.length === 0) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = (): void => {
      if (document.visibilityState === 'visible') timer ??= setTimeout(() => setCredits([]), CREDIT_SHOWN_MS)
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [credits])
  return sums(credits.map(({ amount, currency_code: code, network }) => ({ amount: amount ?? '0', code, network })))
}

/** "42 USDT", and the network where it is another one than the chosen currency's. */
export function useArrivalText(chosen: Currency | null) {
  const { t, decimal } = useTranslations()
  return (key: 'deposit.detected' | 'deposit.credited', { code, network, amount }: Arrival): string => {
    const isChosen = chosen?.currency_code === code && chosen.network === network
    return t(key, { amount: decimal(amount), code: isChosen ? code : t('currency.nameOn', { name: code, network }) })
  }
}
