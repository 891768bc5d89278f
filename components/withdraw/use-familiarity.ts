import { useQuery, useQueryClient } from '@tanstack/react-query'
import { comparableAddress } from '#lib/addresses/comparable-address.ts'
import { lookAlikeOf, type FamiliarAddress } from '#lib/addresses/look-alike.ts'
import { splitTag } from '#lib/addresses/tags.ts'
import { addressListQuery } from '#lib/browser/address-list.ts'
import type { KnownAddressList } from '#lib/contract/cashier.ts'
import type { WithdrawalBody } from '#lib/contract/cashier-requests.ts'
import { useBffClient } from '../context/page-runtime.tsx'

/** How long a press waits for the list. If it is late, the page decides with what it knows. */
const WAIT_MS = 2000

export interface Familiarity {
  /** The last withdrawal to this address; null if there was none, undefined while the list is not known. */
  readonly sent: { readonly name: string | null; readonly last_sent_at: string } | null | undefined
  /** A known address for which this one may have been planted. */
  readonly alike: FamiliarAddress | null
  /** Waits for the list if it is not known yet. */
  readonly check: () => Promise<FamiliarAddress | null>
}

/** What the user's history says about the destination of a withdrawal. */
export function useFamiliarity({ currency_id, wallet_address }: WithdrawalBody, network: string): Familiarity {
  const cache = useQueryClient()
  const list = addressListQuery(useBffClient(), currency_id)
  const { data } = useQuery(list)
  const alikeIn = (known: KnownAddressList | undefined): FamiliarAddress | null =>
    known === undefined
      ? null
      : lookAlikeOf(network, wallet_address, [
          ...known.addresses.map(({ address }) => ({ address, familiarity: 'sent' as const })),
          ...known.others,
        ])
  return {
    sent: data && lastSent(data, network, wallet_address),
    alike: alikeIn(data),
    check: async () => {
      const late = new Promise((resolve) => setTimeout(resolve, WAIT_MS))
      await Promise.race([cache.query(list).catch(() => undefined), late])
      return alikeIn(cache.getQueryData(list.queryKey))
    },
  }
}

function lastSent({ addresses, others }: KnownAddressList, network: string, destination: string): Familiarity['sent'] {
  const keyOf = (text: string): string => {
    const { address, tag } = splitTag(network, text)
    return `${comparableAddress(network, address)} ${tag ?? ''}`
  }
  const key = keyOf(destination)
  const known = addresses.find(({ address }) => keyOf(address) === key)
  if (known) return known
  for (const { address, last_sent_at } of others)
    if (last_sent_at !== null && keyOf(address) === key) return { name: null, last_sent_at }
  return null
}
