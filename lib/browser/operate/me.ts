import { queryOptions } from '@tanstack/react-query'
import { signedInOperator } from '#lib/contract/operate/operators.ts'
import type { ConsoleClient } from './console-client.ts'

/** Who is signed in; fails with `unauthenticated` if nobody is. */
export const meQuery = (client: ConsoleClient) =>
  queryOptions({
    queryKey: ['me'],
    queryFn: ({ signal }) => client.get('me', signedInOperator, signal),
    staleTime: 60_000,
  })
