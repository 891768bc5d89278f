import { setImmediate as nextTick } from 'node:timers/promises'
import * as z from 'zod/mini'
import { auditHash, ERASURE_ACTION, personalDigest, type AuditHead, type AuditRow } from '../tables/audit-chain.ts'

const PAGE = 1000

/** The first entry that is broken, by its number, and what is wrong with it. */
export interface AuditFault {
  readonly seq: number
  readonly what: string
}

/** An end of the chain: how many entries there are, and the hash of the last. */
export type AuditEnd = Pick<AuditHead, 'entries' | 'hash'>

export interface AuditReport {
  /** Null: the log is whole. */
  readonly fault: AuditFault | null
  /** The end of what was read. */
  readonly end: AuditEnd
  /** How many entries were blanked when a person was erased. */
  readonly erased: number
}

export interface AuditReader {
  head(): Promise<AuditHead | null>
  after(seq: number, limit: number): Promise<readonly AuditRow[]>
}

const erasureDetail = z.object({ entries: z.array(z.number()) })

/** The entries that this one says to have blanked. */
function blankedBy({ action, detail }: AuditRow): readonly number[] {
  if (action !== ERASURE_ACTION || detail === null) return []
  const read = erasureDetail.safeParse(JSON.parse(detail))
  return read.success ? read.data.entries : []
}

const isBlank = ({ salt, user_reference_id, reason, detail }: AuditRow): boolean =>
  [salt, user_reference_id, reason, detail].every((column) => column === null)

const holds = (row: AuditRow): boolean =>
  auditHash(row) === row.hash && (isBlank(row) || personalDigest(row) === row.personal_digest)

/** What the row after the end shows; null if it continues the chain. */
function faultAfter(end: AuditEnd, row: AuditRow): AuditFault | null {
  if (row.seq < 1) return { seq: row.seq, what: 'was inserted' }
  if (row.seq > end.entries + 1) return { seq: end.entries + 1, what: 'is missing' }
  if (!holds(row)) return { seq: row.seq, what: 'was changed' }
  if (row.previous_hash === end.hash) return null
  return end.entries === 0
    ? { seq: row.seq, what: 'was changed: it does not begin the log' }
    : { seq: end.entries, what: 'was changed: the entry after it names another hash' }
}

/** What an end that was noted elsewhere says of the entry with its number, which has this hash; undefined: there is none. */
function faultOfEnd(noted: AuditEnd, hash: string | undefined, place: string): AuditFault | null {
  if (noted.entries === 0 || hash === noted.hash) return null
  const what = hash === undefined ? 'is missing' : 'was changed'
  return { seq: noted.entries, what: `${what}: ${place} has another end of the log` }
}

/**
 * Reads the whole log, while others may add to it, and finds the first entry that was changed, removed or inserted.
 * @param noted an earlier end of the chain, from the log of the process: it shows what was changed or cut off together
 * with the end that the database keeps
 */
export async function checkAudit(audit: AuditReader, noted: AuditEnd | null = null): Promise<AuditReport> {
  let end: AuditEnd = { entries: 0, hash: '' }
  let hashAtNoted: string | undefined
  const [blank, explained] = [new Set<number>(), new Set<number>()]

  /** Reads what is there now, up to the first fault. */
  const readOn = async (from = end.entries): Promise<AuditFault | null> => {
    for (let after = from; ; after = end.entries) {
      const page = await audit.after(after, PAGE)
      for (const row of page) {
        const fault = faultAfter(end, row)
        if (fault !== null) return fault
        end = { entries: row.seq, hash: row.hash }
        if (row.seq === noted?.entries) hashAtNoted = row.hash
        if (isBlank(row)) blank.add(row.seq)
        for (const seq of blankedBy(row)) explained.add(seq)
      }
      if (page.length < PAGE) return null
      // The process serves others meanwhile.
      await nextTick()
    }
  }

  /** The end that the database keeps is read after the entries, so it counts all of them. */
  const compareHead = async (): Promise<AuditFault | null> => {
    for (;;) {
      const head = await audit.head()
      if (head === null) return { seq: end.entries, what: 'has no end: the row of the end is missing' }
      if (head.entries < end.entries) return { seq: head.entries + 1, what: 'was inserted: the end does not count it' }
      if (head.entries === end.entries)
        return head.hash === end.hash ? null : { seq: end.entries, what: 'was changed: the end has another hash' }
      const fault = await readOn()
      if (fault !== null) return fault
      if (end.entries < head.entries)
        return { seq: end.entries + 1, what: `is missing: the end counts ${String(head.entries)} entries` }
    }
  }

  const unexplained = (): AuditFault | null => {
    const seq = [...blank].find((one) => !explained.has(one))
    return seq === undefined ? null : { seq, what: 'was blanked, and no erasure of a person names it' }
  }

  const fault =
    (await readOn(Number.MIN_SAFE_INTEGER)) ??
    (await compareHead()) ??
    unexplained() ??
    (noted === null ? null : faultOfEnd(noted, hashAtNoted, 'the log of the process'))
  return { fault, end, erased: blank.size }
}
