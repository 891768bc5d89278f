import { notifyManager, useQueryClient, type Query } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { RequestFailure, type FailureCode } from '#lib/browser/request-failure.ts'

const AWAY: ReadonlySet<FailureCode> = new Set(['gateway_unavailable', 'gateway_misconfigured', 'store_unavailable'])

const lacksTheService = ({ state: { data, error } }: Query): boolean =>
  (error instanceof RequestFailure && AWAY.has(error.code)) ||
  (typeof data === 'object' && data !== null && 'stale' in data && data.stale === true)

/**
 * True while something on the page could not be read, or is only what we had: what is shown is then not live. A screen that
 * asks nothing of the payment service does not notice that it is away.
 */
export function useServiceAway(): boolean {
  const cache = useQueryClient().getQueryCache()
  const subscribe = useCallback((onChange: () => void) => cache.subscribe(notifyManager.batchCalls(onChange)), [cache])
  return useSyncExternalStore(
    subscribe,
    () => cache.findAll({ type: 'active' }).some(lacksTheService),
    () => false,
  )
}
