'use client'

import { notifyManager, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState, useSyncExternalStore } from 'react'
import { onTheWay, sums, type Arrival } from '#lib/browser/arrivals.ts'
import { liveKey } from '#lib/browser/live-transactions.ts'
import { keys, transactionsPageQuery } from '#lib/browser/queries.ts'
import { sessionDeposits, SESSION_DEPOSITS_QUERY, type SessionDeposit } from '#lib/browser/session-deposits.ts'
import { cashierStatusOf } from '#lib/browser/status-display.ts'
import type { Currency, TransactionsPage } from '#lib/contract/cashier.ts'
import type { TransactionEvent } from '#lib/contract/stream.ts'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { useLiveTransactions } from './use-live-transactions.ts'
import { useLocation } from '../context/location.tsx'
import { useBffClient, useStreamEvents } from '../context/page-runtime.tsx'

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

const isCredit = ({ kind, status }: TransactionEvent): boolean =>
  kind === 'deposit' && cashierStatusOf(status) === 'succeeded'

interface Credits {
  readonly path: string
  readonly events: readonly TransactionEvent[]
}

/**
 * Deposits that were credited since the user came to this flow. They go with it, and by no clock: what goes by itself
 * would move a button under a finger.
 */
export function useCredits(): readonly Arrival[] {
  const { path } = useLocation()
  const [{ path: of, events }, setCredits] = useState<Credits>({ path, events: [] })
  const credits = of === path ? events : []
  useStreamEvents((event) => {
    if (event.type !== 'transaction' || !isCredit(event.data)) return
    setCredits((before) => ({
      path,
      events: [
        ...(before.path === path ? before.events : []).filter((one) => liveKey(one) !== liveKey(event.data)),
        event.data,
      ],
    }))
  })
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
