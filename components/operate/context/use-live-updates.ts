'use client'

import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { openConsoleEvents } from '#lib/browser/operate/console-events.ts'
import { meQuery } from '#lib/browser/operate/me.ts'
import { CHANGE_AREAS, type ChangedEvent } from '#lib/contract/operate/live.ts'
import { useConsoleClient } from './client.tsx'

type Keyed = Pick<Query, 'queryKey'>

const EVERYTHING: ChangedEvent = { areas: CHANGE_AREAS, users: null }

/** The key of a query begins with its area. Each proposal is in the audit log, like everything that was decided. */
function isShownAgain({ areas }: ChangedEvent, { queryKey: [area, what] }: Keyed): boolean {
  if (area === 'decide') return what === 'proposals' && areas.includes('audit')
  return areas.some((one) => one === area)
}

/** Each read of these is in the audit log as somebody's look at a person's data: nothing but a person causes one. */
const LOOKED_AT = ['user', 'story', 'decide']

function isOld({ areas, users }: ChangedEvent, { queryKey: [area, about] }: Keyed): boolean {
  if (area === 'user') return users === null || users.some((user) => user === about)
  return LOOKED_AT.some((one) => one === area) && areas.some((one) => one !== 'day' && one !== 'audit')
}

function follow(cache: QueryClient, change: ChangedEvent): void {
  void cache.invalidateQueries({ predicate: (query) => isShownAgain(change, query) })
  void cache.invalidateQueries({ predicate: (query) => isOld(change, query), refetchType: 'none' })
}

/**
 * Reads again what is shown and has changed, as the server tells it; what is shown stays until the answer is there. What
 * is about a person is read again when somebody opens it again.
 */
export function useLiveUpdates(): void {
  const cache = useQueryClient()
  const client = useConsoleClient()
  useEffect(
    () =>
      openConsoleEvents({
        onChange: (change) => follow(cache, change),
        onReady: () => follow(cache, EVERYTHING),
        onRefused: () => void cache.invalidateQueries({ queryKey: meQuery(client).queryKey }),
      }),
    [cache, client],
  )
}
