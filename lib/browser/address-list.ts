/** The user's known addresses: the list, and changes to it. Loaded when a withdrawal is begun. */
import { queryOptions } from '@tanstack/react-query'
import type { AddressNameRequest } from '#lib/contract/cashier-requests.ts'
import type { SentAddress } from '#lib/contract/cashier.ts'
import type { BffClient } from './bff-client.ts'

export const ADDRESS_LISTS = ['addresses'] as const

/** Read again by each form and review that is shown: a withdrawal may have succeeded since. */
export const addressListQuery = (client: BffClient, currencyId: string) =>
  queryOptions({
    queryKey: [...ADDRESS_LISTS, currencyId],
    queryFn: ({ signal }) =>
      client.get(
        `addresses?currency_id=${encodeURIComponent(currencyId)}`,
        (schemas) => schemas.knownAddressListSchema,
        signal,
      ),
    refetchOnMount: 'always',
    refetchInterval: false,
    refetchOnWindowFocus: false,
  })

const pathOf = (id: string): string => `addresses/${encodeURIComponent(id)}`

/** An empty name removes it. @throws RequestFailure */
export const nameAddress = (client: BffClient, id: string, name: string): Promise<SentAddress> => {
  const body: AddressNameRequest = { name }
  return client.send('PUT', pathOf(id), body, (schemas) => schemas.sentAddressSchema)
}

/** @throws RequestFailure */
export const forgetAddress = async (client: BffClient, id: string): Promise<void> => {
  await client.send('DELETE', pathOf(id), undefined, (schemas) => schemas.nothingSchema)
}
