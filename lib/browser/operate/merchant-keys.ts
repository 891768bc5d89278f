import { queryOptions } from '@tanstack/react-query'
import { merchantKeysReply } from '#lib/contract/operate/merchant-keys.ts'
import type { ConsoleClient } from './console-client.ts'

export const merchantKeysQuery = (client: ConsoleClient) =>
  queryOptions({
    queryKey: ['merchant-keys'],
    queryFn: async ({ signal }) => (await client.get('keys', merchantKeysReply, signal)).keys,
  })
