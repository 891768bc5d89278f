'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { transactionsPageQuery } from '#lib/browser/queries.ts'
import { LIVE_KEY } from '#lib/browser/stream-cache.ts'
import type { LiveTransactions } from '#lib/browser/live-transactions.ts'
import type { WithdrawalAttempt } from '#lib/browser/withdrawal-attempt.ts'
import type { WithdrawalBody } from '#lib/contract/cashier-requests.ts'
import type { TransactionsPage } from '#lib/contract/cashier.ts'
import { useBffClient } from '../context/page-runtime.tsx'
import { useLiveTransactions } from '../shell/use-live-transactions.ts'
import { isRepeated, RECENT_WITHDRAWALS_QUERY } from './repeated-withdrawal.ts'

/** How old the list may be when the button is pressed, and how long the press waits for a newer one. */
const FRESH_MS = 1000
const WAIT_MS = 2000

export interface RepeatCheck {
  /** As far as the page has seen by now. */
  readonly repeated: boolean
  /** Asks the list again where it is old; answers by what is known where it does not come in time. */
  readonly check: () => Promise<boolean>
}

/** Whether this withdrawal was requested a moment ago, here, in another tab or on another device. */
export function useRepeatCheck(request: WithdrawalBody, network: string, attempt: WithdrawalAttempt): RepeatCheck {
  const client = useBffClient()
  const cache = useQueryClient()
  const live = useLiveTransactions()
  const list = transactionsPageQuery(client, RECENT_WITHDRAWALS_QUERY)
  const query = useQuery({ ...list, refetchOnMount: 'always' })
  const [looked, setLooked] = useState(0)
  // Another tab may have requested what an event tells of.
  useEffect(() => {
    void attempt.refresh().then(() => setLooked((count) => count + 1))
  }, [attempt, live])

  const decide = (page: TransactionsPage | undefined, events: LiveTransactions, nowMs: number): boolean =>
    // Under the key that it had, the same request cannot pay again.
    !attempt.isRetry(request) &&
    isRepeated(
      request,
      network,
      { listed: page?.edges.map(({ node }) => node) ?? [], live: events, sent: attempt.sent() },
      nowMs,
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
