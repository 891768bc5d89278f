/**
 * The currencies that the user chose last, for the top of the picker. If storage is denied, they are kept only as long
 * as the page.
 */
import * as z from 'zod/mini'

const KEY = 'cashier.recent-currencies'
const MAX_RECENT = 4
const schema = z.array(z.string())

export interface RecentCurrencies {
  readonly list: () => readonly string[]
  readonly use: (currencyId: string) => void
}

/** `storage` is called each time, because even access throws if the browser denies storage. */
export function createRecentCurrencies(storage: () => Pick<Storage, 'getItem' | 'setItem'>): RecentCurrencies {
  let recent: readonly string[] = read(storage)
  return {
    list: () => recent,
    use: (currencyId) => {
      recent = [currencyId, ...recent.filter((id) => id !== currencyId)].slice(0, MAX_RECENT)
      try {
        storage().setItem(KEY, JSON.stringify(recent))
      } catch {
        // The list stays in memory.
      }
    },
  }
}

function read(storage: () => Pick<Storage, 'getItem' | 'setItem'>): readonly string[] {
  try {
    const parsed = z.safeParse(schema, JSON.parse(storage().getItem(KEY) ?? '[]'))
    return parsed.success ? parsed.data.slice(0, MAX_RECENT) : []
  } catch {
    return []
  }
}
