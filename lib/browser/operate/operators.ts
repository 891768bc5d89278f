import { queryOptions } from '@tanstack/react-query'
import { operatorsAnswer } from '#lib/contract/operate/access.ts'
import type { ConsoleClient } from './console-client.ts'

export const operatorsQuery = (client: ConsoleClient) =>
  queryOptions({
    queryKey: ['operators'],
    queryFn: ({ signal }) => client.get('operators', operatorsAnswer, signal),
  })
