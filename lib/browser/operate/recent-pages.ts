/** The pages of single things that an operator opened last, newest first. Kept for the tab, gone with the sign-out. */
import * as z from 'zod/mini'

const recentPage = z.object({ href: z.string(), label: z.string() })
export type RecentPage = z.output<typeof recentPage>

const KEY = 'cashier-console-recent'
const MOST = 8

type PageStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** @param storage may throw, where the browser allows none */
export function createRecentPages(storage: () => PageStorage) {
  const read = (): readonly RecentPage[] => {
    try {
      return z.array(recentPage).parse(JSON.parse(storage().getItem(KEY) ?? '[]'))
    } catch {
      return []
    }
  }
  return {
    list: read,
    add(page: RecentPage): void {
      const others = read().filter(({ href }) => href !== page.href)
      try {
        storage().setItem(KEY, JSON.stringify([page, ...others].slice(0, MOST)))
      } catch {
        // The palette then knows the pages only.
      }
    },
    clear(): void {
      try {
        storage().removeItem(KEY)
      } catch {
        // There is nothing to forget.
      }
    },
  }
}
