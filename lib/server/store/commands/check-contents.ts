import type { Contents, FeedContents } from '../tables/contents.ts'

/** The shortest retention of raw webhooks that can be set: younger ones are never deleted by themselves. */
const KEPT_MS = 86_400_000

function feedFault({ counter, floor, skipped, count, first, last, next, hasEpoch }: FeedContents): string | null {
  if (counter === null) return 'the counter of the feed is missing'
  if (!hasEpoch) return 'the epoch of the feed is missing'
  if (last !== null && last > counter) return `the feed has event ${last}, but its counter is at ${counter}`
  const missing = counter - floor - skipped - count
  if (missing === 0) return null
  if (count === 0) return `the feed is empty, but the events ${floor + 1} to ${counter} were not deleted by retention`
  const from = first === floor + 1 ? next : floor + 1
  return `the feed lacks ${missing} of the events ${floor + 1} to ${counter}, the first is ${from}`
}

const lostWebhooks = ({ newestWebhookMs, newestWebhookFactMs, aliveMs }: Contents): string | null =>
  newestWebhookMs === null &&
  newestWebhookFactMs !== null &&
  aliveMs !== null &&
  aliveMs - newestWebhookFactMs < KEPT_MS
    ? 'webhooks is empty, but there are facts of webhooks that retention has not deleted yet'
    : null

/**
 * The faults that show that rows were lost, one line for each. They do not need the ledger, so they are found where the
 * merchant keeps the books, too.
 */
export const contentsFaults = (contents: Contents): readonly string[] =>
  [
    feedFault(contents.feed),
    lostWebhooks(contents),
    ...contents.broken.map(({ what, count }) => (count === 0 ? null : `${count} ${what}`)),
  ].filter((fault) => fault !== null)

/** True for a database that was never used: nothing in it can be lost. */
export const isUnused = ({ rows, feed }: Contents): boolean =>
  feed.counter === 0 && (['users', 'webhooks', 'transactions'] as const).every((table) => rows.get(table) === 0)
