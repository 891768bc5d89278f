import { queryOptions } from '@tanstack/react-query'
import { settingsAnswer } from '#lib/contract/operate/settings.ts'
import type { ConsoleClient } from './console-client.ts'

export const settingsQuery = (client: ConsoleClient) =>
  queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => client.get('settings', settingsAnswer, signal),
  })
