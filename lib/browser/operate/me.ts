import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { signedInOperator } from '#lib/contract/operate/operators.ts'
import type { ConsoleClient } from './console-client.ts'

const ME = 'me'

/** Who is signed in; fails with `unauthenticated` if nobody is. */
export const meQuery = (client: ConsoleClient) =>
  queryOptions({
    queryKey: [ME],
    queryFn: ({ signal }) => client.get('me', signedInOperator, signal),
    staleTime: 60_000,
    // The browser's dialog for passkeys takes the focus and gives it back: no reason to ask whether nobody has signed in.
    refetchOnWindowFocus: ({ state }) => state.data !== undefined,
  })

/** Forgets the data of an operator who has gone. Only the shell keeps asking who is signed in. */
export const forgetAllButMe = (cache: QueryClient): void =>
  cache.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME })

/** Forgets the operator, too, and asks again who is signed in: nobody, unless somebody signs in. */
export function forgetOperator(cache: QueryClient): Promise<void> {
  forgetAllButMe(cache)
  return cache.resetQueries({ queryKey: [ME] })
}
