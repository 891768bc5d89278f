/** How the names of a currency and its network are related. */
import { isSameKnownNetwork } from '#lib/addresses/networks.ts'
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
  return isNetworkName(name, network) || isNetworkName(code, network) || isSameKnownNetwork(code, network)
}
