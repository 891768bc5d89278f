'use client'

import { useQueryClient, type Query } from '@tanstack/react-query'
import { useEffect } from 'react'
import { openConsoleEvents } from '#lib/browser/operate/console-events.ts'
import { meQuery } from '#lib/browser/operate/me.ts'
import type { ChangedEvent } from '#lib/contract/operate/live.ts'
import { useConsoleClient } from './client.tsx'

/** The key of a query begins with its area; one about a user begins with `users` and the user's id. */
function concerns({ areas, users }: ChangedEvent, { queryKey }: Pick<Query, 'queryKey'>): boolean {
  const [area, about] = queryKey
  if (area === 'users') return users === null || users.some((user) => user === about)
  return areas.some((one) => one === area)
}

/** Fetches again what is shown and has changed, as the server tells it. What is shown stays until the answer is there. */
export function useLiveUpdates(): void {
  const cache = useQueryClient()
  const client = useConsoleClient()
  useEffect(
    () =>
      openConsoleEvents({
        onChange: (change) => void cache.invalidateQueries({ predicate: (query) => concerns(change, query) }),
        onAgain: () => void cache.invalidateQueries({ predicate: ({ queryKey: [area] }) => area !== 'search' }),
        onRefused: () => void cache.invalidateQueries({ queryKey: meQuery(client).queryKey }),
      }),
    [cache, client],
  )
}
