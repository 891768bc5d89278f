import { CashierApiError, type CashierClient, type Events } from './cashier-client.ts'

type FeedEvent = Events['events'][number]

/** Reads new events of the cashier's feed and resolves with the latest events, oldest first. */
export type EventFeed = () => Promise<readonly FeedEvent[]>

/**
 * Follows the cashier's feed from its beginning. It starts again if the cashier reports that a restored backup has lost
 * the cursor. Simultaneous callers share one request.
 */
export function createFeed(client: Pick<CashierClient, 'events'>, retention = 500): EventFeed {
  let cursor: string | null = null
  let latest: readonly FeedEvent[] = []
  let reading: Promise<void> | undefined

  const read = async (): Promise<void> => {
    for (;;) {
      const { events, next_cursor }: Events = await client.events(cursor).catch((error: unknown) => {
        if (cursor === null || !(error instanceof CashierApiError) || error.code !== 'cursor_lost') throw error
        latest = []
        return client.events(null)
      })
      cursor = next_cursor
      latest = [...latest, ...events].slice(-retention)
      if (events.length < 1000) return
    }
  }

  return async () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    await reading
    return latest
  }
}
