/** How a currency's name and its network's belong together. */
import { findNetwork } from '#lib/addresses/networks.ts'
import type { Currency } from '#lib/contract/cashier.ts'

const normal = (text: string): string => text.trim().toLowerCase()

/** True where the name is the network's own: it is then said once. */
export const isNetworkName = (name: string, network: string): boolean => normal(name) === normal(network)

/** True for the coin of the network itself, such as ETH on Ethereum. */
export function isOwnCoin({
  currency_code: code,
  name,
  network,
}: Pick<Currency, 'currency_code' | 'name' | 'network'>) {
  const known = findNetwork(code)
  return (
    isNetworkName(name, network) || isNetworkName(code, network) || (known !== null && known === findNetwork(network))
  )
}
