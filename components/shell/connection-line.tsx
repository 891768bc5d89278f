'use client'

import { notifyManager, useQueryClient, type Query } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import type { ConnectionPhase } from '#lib/browser/connection.ts'
import { RequestFailure, type FailureCode } from '#lib/browser/request-failure.ts'
import { useTimeText } from '../ui/time.tsx'
import { WholeEnd } from '../ui/whole-end.tsx'
import { useConnectionState } from '../context/page-runtime.tsx'
import { useTranslations } from '../context/translations.tsx'

const DOT: Readonly<Record<ConnectionPhase, string>> = {
  live: 'bg-ok',
  connecting: 'bg-ink-3',
  reconnecting: 'bg-wait',
  offline: 'bg-bad',
}

/**
 * State of the live connection, and the time of the last update. It does not say "live" while the payment service is
 * unavailable.
 */
export function ConnectionLine() {
  const { t } = useTranslations()
  const { phase, checkedAt } = useConnectionState()
  const away = useServiceAway() && phase === 'live'
  const time = useTimeText()
  return (
    <p data-testid="connection" data-phase={phase} className="shown-whole flex items-center gap-2 text-xs text-ink-2">
      <span aria-hidden className={`size-[7px] shrink-0 rounded-full ${away ? 'bg-wait' : DOT[phase]}`} />
      <span suppressHydrationWarning>
        {t(`connection.${away ? 'connecting' : phase}`, { time: time(checkedAt, 'time') })}
      </span>
      <WholeEnd />
    </p>
  )
}

const AWAY: ReadonlySet<FailureCode> = new Set(['gateway_unavailable', 'gateway_misconfigured', 'store_unavailable'])

const lacksTheService = ({ state: { data, error } }: Query): boolean =>
  (error instanceof RequestFailure && AWAY.has(error.code)) ||
  (typeof data === 'object' && data !== null && 'stale' in data && data.stale === true)

/**
 * True while a query of the screen failed because a service is unavailable, or has stale data. A screen that requests
 * nothing from the payment service does not notice that it is unavailable.
 */
function useServiceAway(): boolean {
  const cache = useQueryClient().getQueryCache()
  const subscribe = useCallback((onChange: () => void) => cache.subscribe(notifyManager.batchCalls(onChange)), [cache])
  return useSyncExternalStore(
    subscribe,
    () => cache.findAll({ type: 'active' }).some(lacksTheService),
    () => false,
  )
}
