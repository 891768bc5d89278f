'use client'

import { useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { useConsoleClient } from '../context/client.tsx'

/** Sends an act, and reads afresh what the console shows, whether it was done or refused. */
export function useDecide() {
  const client = useConsoleClient()
  const cache = useQueryClient()
  return async <Schema extends z.ZodMiniType>(
    path: string,
    body: unknown,
    schema: Schema,
  ): Promise<z.output<Schema>> => {
    try {
      return await client.send('POST', path, body, schema)
    } finally {
      void cache.invalidateQueries({ predicate: ({ queryKey: [area] }) => area !== 'me' })
    }
  }
}
