import type { Currency } from '#lib/contract/cashier.ts'

const withIcon = (currency: Currency, network_icon: string | undefined): Currency =>
  network_icon === undefined ? currency : { ...currency, network_icon }

/** The listed currencies, each with the icon that a record or event has named for this very currency, if any. */
export function withOwnIcons(listed: readonly Currency[], known: readonly Currency[]): readonly Currency[] {
  const own = new Map(known.map(({ id, network_icon }) => [id, network_icon]))
  return listed.map((currency) => withIcon(currency, currency.network_icon ?? own.get(currency.id)))
}

/**
 * The listed currencies with their networks' icons, which come from records and events: the gateway's list has none. A
 * currency without its own icon gets the icon of another currency on its network, preferably a listed one: icons of
 * currencies that are no longer listed may be outdated.
 */
export function withNetworkIcons(listed: readonly Currency[], known: readonly Currency[]): readonly Currency[] {
  const own = withOwnIcons(listed, known)
  const lent = new Map<string, string>()
  for (const { network, network_icon } of [...own, ...known])
    if (network_icon !== undefined && !lent.has(network)) lent.set(network, network_icon)
  return own.map((currency) => withIcon(currency, currency.network_icon ?? lent.get(currency.network)))
}
