import type { Currency } from '#lib/contract/cashier.ts'

/**
 * The listed currencies with the icons of their networks, as records and events have named them: the gateway's list has
 * none. A network has the same icon for each of its currencies.
 */
export function withNetworkIcons(listed: readonly Currency[], known: readonly Currency[]): readonly Currency[] {
  const icons = new Map(
    known.flatMap(({ network, network_icon: icon }) => (icon === undefined ? [] : [[network, icon]])),
  )
  return listed.map((currency) => {
    const network_icon = icons.get(currency.network)
    return network_icon === undefined ? currency : { ...currency, network_icon }
  })
}
