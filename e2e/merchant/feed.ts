import type { CashierClient, Events } from './cashier-client.ts'

type FeedEvent = Events['events'][number]

/** Follows the cashier's feed from its beginning and keeps the last events. Readers that come at once share one call. */
export function createFeed(client: Pick<CashierClient, 'events'>, keep = 500): () => Promise<readonly FeedEvent[]> {
  let cursor: string | null = null
  let kept: readonly FeedEvent[] = []
  let reading: Promise<void> | undefined

  const read = async (): Promise<void> => {
    for (;;) {
      const { events, next_cursor }: Events = await client.events(cursor)
      cursor = next_cursor
      kept = [...kept, ...events].slice(-keep)
      if (events.length < 1000) return
    }
  }

  return async () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    await reading
    return kept
  }
}
