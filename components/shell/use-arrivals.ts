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
 * The deposits on their way that the page knows of; requests nothing. Does not use `useQuery`: a query that exists
 * before the server's data arrives would keep that data out of the screen's first render.
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
 * Deposits credited since the user opened this flow. They disappear when the user leaves it, never by a timer: a line
 * that disappears by itself would move a button under the user's finger.
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

/** "42 USDT", with the network if it is not the chosen currency's. */
export function useArrivalText(chosen: Currency | null) {
  const { t, decimal } = useTranslations()
  return (key: 'deposit.detected' | 'deposit.credited', { code, network, amount }: Arrival): string => {
    const isChosen = chosen?.currency_code === code && chosen.network === network
    return t(key, { amount: decimal(amount), code: isChosen ? code : t('currency.nameOn', { name: code, network }) })
  }
}
