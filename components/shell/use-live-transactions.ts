'use client'

import { useQuery } from '@tanstack/react-query'
import type { LiveTransactions } from '#lib/browser/live-transactions.ts'
import { LIVE_KEY } from '#lib/browser/stream-cache.ts'
import { useHydrated } from '../ui/hydrated.ts'

const NONE: LiveTransactions = []

/**
 * The stream's events since the page was opened. Empty while a component hydrates: late parts of the server's response
 * hydrate after the stream is open and must match what the server rendered.
 */
export function useLiveTransactions(): LiveTransactions {
  const { data } = useQuery<LiveTransactions>({
    queryKey: LIVE_KEY,
    queryFn: () => NONE,
    enabled: false,
    staleTime: Infinity,
    gcTime: Infinity,
  })
  return useHydrated() && data ? data : NONE
}
