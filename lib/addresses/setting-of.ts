/** Settings by currency: their names are a currency's id or `code@network`, in lower case. */

interface NamedCurrency {
  readonly currency_code: string
  readonly network: string
}

/**
 * What a setting by `code@network` says of a currency. A gateway may spell a network anew, as `TRC20` for `Tron`: its
 * settings still count.
 */
export function settingOnNetwork<T>(
  settings: ReadonlyMap<string, T>,
  { currency_code, network }: NamedCurrency,
  isSame: (one: string, other: string) => boolean,
): T | undefined {
  const start = `${currency_code}@`.toLowerCase()
  const respelled = (): T | undefined =>
    [...settings].find(([name]) => name.startsWith(start) && isSame(name.slice(start.length), network))?.[1]
  return settings.get(start + network.toLowerCase()) ?? respelled()
}

/** What a setting by currency id or `code@network` says of a currency. */
export const settingOf = <T>(
  settings: ReadonlyMap<string, T>,
  currency: NamedCurrency & { readonly id: string },
  isSame: (one: string, other: string) => boolean,
): T | undefined => settings.get(currency.id.toLowerCase()) ?? settingOnNetwork(settings, currency, isSame)
