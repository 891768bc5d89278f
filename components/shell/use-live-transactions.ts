'use client'

import { useQuery } from '@tanstack/react-query'
import type { LiveTransactions } from '#lib/browser/live-transactions.ts'
import { LIVE_KEY } from '#lib/browser/stream-cache.ts'
import { useHydrated } from '../ui/hydrated.ts'

const NONE: LiveTransactions = []

/**
 * Events of the stream since the page was opened. None while a component hydrates: what comes late in the server's answer
 * hydrates after the stream is open, and has to match what the server rendered.
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
