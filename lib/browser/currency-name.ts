/** How the names of a currency and its network are related. */
import { findNetwork } from '#lib/addresses/networks.ts'
import type { Currency } from '#lib/contract/cashier.ts'

const normal = (text: string): string => text.trim().toLowerCase()

/** True if the currency has its network's name, which is then shown once. */
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
