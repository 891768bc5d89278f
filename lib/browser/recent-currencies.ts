/** The last few currencies that this person used, for the top of the picker. Storage may be denied: then for this page only. */
import * as z from 'zod/mini'

const KEY = 'cashier.recent-currencies'
const MOST = 4
const schema = z.array(z.string())

export interface RecentCurrencies {
  readonly list: () => readonly string[]
  readonly use: (currencyId: string) => void
}

/** `storage` is asked for each time, since a browser may throw at the mere mention. */
export function createRecentCurrencies(storage: () => Pick<Storage, 'getItem' | 'setItem'>): RecentCurrencies {
  let recent: readonly string[] = read(storage)
  return {
    list: () => recent,
    use: (currencyId) => {
      recent = [currencyId, ...recent.filter((id) => id !== currencyId)].slice(0, MOST)
      try {
        storage().setItem(KEY, JSON.stringify(recent))
      } catch {
        // Kept in memory.
      }
    },
  }
}

function read(storage: () => Pick<Storage, 'getItem' | 'setItem'>): readonly string[] {
  try {
    const parsed = z.safeParse(schema, JSON.parse(storage().getItem(KEY) ?? '[]'))
    return parsed.success ? parsed.data.slice(0, MOST) : []
  } catch {
    return []
  }
}
