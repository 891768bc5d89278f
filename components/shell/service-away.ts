import { notifyManager, useQueryClient, type Query } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { RequestFailure, type FailureCode } from '#lib/browser/request-failure.ts'

const AWAY: ReadonlySet<FailureCode> = new Set(['gateway_unavailable', 'gateway_misconfigured', 'store_unavailable'])

const lacksTheService = ({ state: { data, error } }: Query): boolean =>
  (error instanceof RequestFailure && AWAY.has(error.code)) ||
  (typeof data === 'object' && data !== null && 'stale' in data && data.stale === true)

/** True while something on the page could not be asked of the payment service: what is shown is then not live. */
export function useServiceAway(): boolean {
  const cache = useQueryClient().getQueryCache()
  return useSyncExternalStore(
    (onChange) => cache.subscribe(notifyManager.batchCalls(onChange)),
    () => cache.findAll({ type: 'active' }).some(lacksTheService),
    () => false,
  )
}
