'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { transactionsPageQuery } from '#lib/browser/queries.ts'
import { LIVE_KEY } from '#lib/browser/stream-cache.ts'
import type { LiveTransactions } from '#lib/browser/live-transactions.ts'
import type { WithdrawalAttempt } from '#lib/browser/withdrawal-attempt.ts'
import type { WithdrawalBody } from '#lib/contract/cashier-requests.ts'
import type { TransactionsPage } from '#lib/contract/cashier.ts'
import { useBffClient, useClockAhead } from '../context/page-runtime.tsx'
import { useLiveTransactions } from '../shell/use-live-transactions.ts'
import { isRepeated, RECENT_WITHDRAWALS_QUERY } from './repeated-withdrawal.ts'

/** The greatest age of the list at a press, and how long the press waits for a newer list. */
const FRESH_MS = 1000
const WAIT_MS = 2000

export interface RepeatCheck {
  /** According to what the page knows now. */
  readonly repeated: boolean
  /** Reads the list again if it is old. If the new list is late, decides with what is known. */
  readonly check: () => Promise<boolean>
}

/** Whether this withdrawal was requested a moment ago, here, in another tab or on another device. */
export function useRepeatCheck(request: WithdrawalBody, network: string, attempt: WithdrawalAttempt): RepeatCheck {
  const client = useBffClient()
  const cache = useQueryClient()
  const clockAhead = useClockAhead()
  const live = useLiveTransactions()
  const list = transactionsPageQuery(client, RECENT_WITHDRAWALS_QUERY)
  const query = useQuery({ ...list, refetchOnMount: 'always' })
  const [looked, setLooked] = useState(0)
  // The withdrawal of a stream event may be another tab's request.
  useEffect(() => {
    void attempt.refresh().then(() => setLooked((count) => count + 1))
  }, [attempt, live])

  const decide = (page: TransactionsPage | undefined, events: LiveTransactions, nowMs: number): boolean =>
    // With its previous key, the same request cannot pay again.
    !attempt.isRetry(request) &&
    isRepeated(
      request,
      network,
      { listed: page?.edges.map(({ node }) => node) ?? [], live: events, sent: attempt.sent() },
      { nowMs, aheadMs: clockAhead.ms() },
    )

  return {
    repeated:
      looked > 0 && query.isFetched && decide(query.data, live, Math.max(query.dataUpdatedAt, query.errorUpdatedAt)),
    check: async () => {
      const late = new Promise((resolve) => setTimeout(resolve, WAIT_MS))
      await Promise.race([cache.query({ ...list, staleTime: FRESH_MS }).catch(() => undefined), late])
      await attempt.refresh()
      return decide(cache.getQueryData(list.queryKey), cache.getQueryData<LiveTransactions>(LIVE_KEY) ?? [], Date.now())
    },
  }
}
