import { createHash } from 'node:crypto'
import { Problem } from '#lib/contract/problems.ts'
import type { FeedPosition, Store } from '../store/types.ts'
import { invalidCursor } from './read-cursor.ts'

/** The name of the epoch with the checksum, and the number. `0`, the beginning, has neither. */
const CURSOR = /^(?:([0-9a-z]{4,32})-)?(\d{1,15})$/

/** So much of an epoch is in its cursors; the rest is known to the database alone. */
const NAME_CHARACTERS = 12
const CHECK_CHARACTERS = 12

/**
 * With a checksum that nobody else can make: whoever reads the feed could show a number that it never had, and only ours
 * prove anything about it.
 */
const prefixOf = (epoch: string, number: number): string =>
  epoch.slice(0, NAME_CHARACTERS) +
  createHash('sha256').update(`${epoch}-${number}`).digest('hex').slice(0, CHECK_CHARACTERS)

/** A place in the merchant's feed as the merchant sees it. */
export const feedCursor = (epoch: string, number: number): string => `${prefixOf(epoch, number)}-${number}`

interface Parsed {
  /** Null for a plain number. */
  readonly prefix: string | null
  readonly number: number
}

/** Null (before the first page) is 0. @throws Problem `invalid_request` under `field` */
function parse(text: string | null, field: string): Parsed {
  const [, prefix, digits] = CURSOR.exec(text ?? '0') ?? []
  if (digits === undefined) throw invalidCursor(field)
  return { prefix: prefix ?? null, number: Number(digits) }
}

/** We have given it in this epoch. */
const isOurs = ({ prefix, number }: Parsed, { epoch }: FeedPosition): boolean => prefix === prefixOf(epoch, number)

const belongs = (cursor: Parsed, position: FeedPosition): boolean =>
  cursor.prefix === null ? cursor.number === 0 : isOurs(cursor, position)

const lost = (): Problem =>
  new Problem(
    'cursor_lost',
    'The events after this cursor are unknown: it comes from another database, from before a backup was restored, or ' +
      'from before the oldest event that is kept. Read the feed from its beginning, without a cursor, and leave out the changes that you have.',
  )

/**
 * Reads cursors of the merchant's feed (docs/reference/merchant-api.md, "Read the events feed"). If a number is ahead
 * of the feed, or the head is below an earlier head, the database has gone back to an older state. A new epoch then
 * begins, so that no cursor of the lost epoch passes for a new one, and withdrawals wait as after `npm run restored`.
 */
export function createFeedCursors(store: Pick<Store, 'feedEpoch' | 'wentBack'>) {
  let seen: FeedPosition | null = null

  const currentPosition = async (): Promise<FeedPosition> => {
    const before = seen
    const position = await store.feedEpoch.position()
    if (before?.epoch === position.epoch && position.head < before.head) {
      await store.wentBack(position.epoch)
      return currentPosition()
    }
    // The answers of two calls may arrive in the wrong order.
    if (seen?.epoch !== position.epoch || seen.head < position.head) seen = position
    return position
  }

  const readAll = async (cursors: readonly Parsed[]): Promise<FeedPosition> => {
    const position = await currentPosition()
    const ahead = cursors.filter((cursor) => cursor.number > position.head)
    if (ahead.some((cursor) => isOurs(cursor, position))) await store.wentBack(position.epoch)
    if (ahead.length > 0 || cursors.some((cursor) => !belongs(cursor, position))) throw lost()
    return position
  }

  return {
    /**
     * The numbers of these cursors, and the present epoch.
     * @param fieldOf the name in the request of the cursor at an index
     * @throws Problem `invalid_request` with `errors` for that field; `cursor_lost`
     */
    async read(
      texts: readonly (string | null)[],
      fieldOf: (index: number) => string,
    ): Promise<{ readonly epoch: string; readonly numbers: readonly number[] }> {
      const cursors = texts.map((text, index) => parse(text, fieldOf(index)))
      const { epoch } = await readAll(cursors)
      return { epoch, numbers: cursors.map(({ number }) => number) }
    },

    /**
     * The number after which a reader goes on. Whoever was away for longer than events are kept has missed some, and
     * must know it.
     * @throws Problem as `read`
     */
    async readPlace(text: string | null, field: string): Promise<{ readonly epoch: string; readonly after: number }> {
      const cursor = parse(text, field)
      const { epoch, floor } = await readAll([cursor])
      if (cursor.prefix !== null && cursor.number < floor) throw lost()
      return { epoch, after: Math.max(cursor.number, floor) }
    },
  }
}

export type FeedCursors = ReturnType<typeof createFeedCursors>
