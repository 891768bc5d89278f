'use client'

import { useQuery } from '@tanstack/react-query'
import type { LiveTransactions } from '#lib/browser/live-transactions.ts'
import { LIVE_KEY } from '#lib/browser/stream-cache.ts'

const NONE: LiveTransactions = []

/** Events of the stream since the page was opened. */
export function useLiveTransactions(): LiveTransactions {
  const { data } = useQuery<LiveTransactions>({
    queryKey: LIVE_KEY,
    queryFn: () => NONE,
    enabled: false,
    staleTime: Infinity,
    gcTime: Infinity,
  })
  return data ?? NONE
}
