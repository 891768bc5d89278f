/**
 * The last reply to each question, as received and as read. A page asks for its history again and again, and reading
 * the reply costs more than all else but the signature; the same bytes mean the same.
 */

/** Of the replies as received; as read they take about three times as much. */
const MOST_BYTES = 4 * 1024 * 1024
/** Nothing about a user stays for long after the user's last visit. */
const KEPT_MS = 600_000

interface Kept<Reply> {
  readonly body: Uint8Array
  readonly reply: Reply
  readonly usedMs: number
}

export interface RepeatedReplies<Reply> {
  /** The value of `read`, or that of the last read of the same question if the same bytes came. */
  read(question: string, body: Uint8Array, read: () => Reply): Reply
}

/** @param mostBytes what is kept at most; the replies that were not asked for longest go first */
export function createRepeatedReplies<Reply>(clock: () => number, mostBytes = MOST_BYTES): RepeatedReplies<Reply> {
  /** In the order of their last use. */
  const kept = new Map<string, Kept<Reply>>()
  let bytes = 0

  const remove = (question: string, one: Kept<Reply>): void => {
    kept.delete(question)
    bytes -= one.body.length
  }

  return {
    read(question, body, read) {
      const now = clock()
      const last = kept.get(question)
      const reply = last !== undefined && Buffer.compare(last.body, body) === 0 ? last.reply : read()
      if (last !== undefined) remove(question, last)
      kept.set(question, { body, reply, usedMs: now })
      bytes += body.length
      for (const [oldest, one] of kept) {
        if (bytes <= mostBytes && now - one.usedMs < KEPT_MS) break
        remove(oldest, one)
      }
      return reply
    },
  }
}
