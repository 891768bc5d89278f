import { compareTexts } from '../ledger/compare.ts'
import { isGatewayError } from '../gateway/errors.ts'
import type { Gateway, TransactionsList } from '../gateway/types.ts'

export type Edge = TransactionsList['edges'][number]

export type ReadLists = Pick<Gateway, 'listUserTransactions'>

/**
 * The records of a scan of a user's list. `complete`: every page was read, and the number of records was `total_count`.
 */
export interface Scan {
  readonly edges: readonly Edge[]
  readonly complete: boolean
  /**
   * True if records may be missing in the scanned range: the list broke off, had fewer records than it counted, or had
   * records of another user, which may replace the user's own. A scan may nevertheless be complete.
   */
  readonly broken: boolean
  /** The failure of a part that could not be read even as the smallest page; null if there was none. */
  readonly unreadable: unknown
}

export interface ScanOptions {
  /** Stop after a page whose records are all older; the scan is then incomplete. */
  readonly sinceMs?: number
}

/** Records per page; the gateway may return fewer. */
const PAGE = 100

/** The limit of pages: no user has a longer list. */
const MOST_PAGES = 1000

const isOlder = (edge: Edge, sinceMs: number): boolean => Date.parse(edge.node.inserted_at) < sinceMs

/**
 * How a walk ended: at the end of the list, early because no more was needed, broken because the list does not give the
 * next cursor, or at an unreadable record.
 */
type Ended = 'end' | 'early' | 'broken' | { readonly unreadable: unknown }

interface Walk {
  readonly ask: (size: number, cursor: string | undefined) => Promise<TransactionsList>
  /** Takes a page; true ends the walk. */
  readonly take: (list: TransactionsList) => boolean
  /** Where the next page begins; null at the end. */
  readonly next: (list: TransactionsList) => string | null | undefined
}

/**
 * Walks through a list page by page. An unreadable page is requested in halves, down to a single unreadable record.
 * Throws other failures.
 */
async function walk({ ask, take, next }: Walk): Promise<Ended> {
  const cursors = new Set<string>()
  /** One of this many next records is unreadable. */
  let suspect = 0
  let cursor: string | undefined

  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const size = suspect === 0 ? PAGE : Math.max(1, Math.floor(suspect / 2))
    const list = await ask(size, cursor).catch((error: unknown) => {
      if (isGatewayError(error) && error.kind === 'unreadable') return { error }
      throw error
    })
    if ('error' in list) {
      if (size === 1) return { unreadable: list.error }
      suspect = size
      continue
    }
    suspect = Math.max(0, suspect - list.edges.length)
    if (take(list)) return 'early'
    const following = next(list)
    if (following === null) return 'end'
    if (following === undefined || cursors.has(following) || list.edges.length === 0) return 'broken'
    cursors.add(following)
    cursor = following
  }
  return 'broken'
}

/**
 * Reads a user's list page by page, newest first. A repeated cursor, an empty page that claims a next one, or a count
 * that changes meanwhile makes the scan incomplete: it can then prove presence, never absence. So does an unreadable
 * record; the records after it are read from the other end. Throws gateway errors.
 */
export async function scanList(gateway: ReadLists, user: string, { sinceMs }: ScanOptions = {}): Promise<Scan> {
  const seen = new Map<string, Edge>()
  const totals = new Set<number>()
  const keep = (list: TransactionsList): number => {
    totals.add(list.total_count)
    const before = seen.size
    for (const edge of list.edges) seen.set(edge.node.transaction_uuid, edge)
    return seen.size - before
  }

  const ended = await walk({
    ask: (first, after) => gateway.listUserTransactions(user, { first, ...(after === undefined ? {} : { after }) }),
    take: (list) => {
      keep(list)
      const { edges, page_info } = list
      if (sinceMs === undefined || !page_info.has_next_page || edges.length === 0) return false
      return edges.every((edge) => isOlder(edge, sinceMs))
    },
    next: ({ edges, page_info }) => (page_info.has_next_page ? (page_info.end_cursor ?? edges.at(-1)?.cursor) : null),
  })
  const newestFirst = () => [...seen.values()]
  const isForeign = ({ node }: Edge): boolean => compareTexts(node.user_ref_id, user) === 'differ'
  if (typeof ended === 'string')
    return {
      edges: newestFirst(),
      complete: ended === 'end' && totals.size === 1 && totals.has(seen.size),
      // A count that grows meanwhile means new records, which the next scan reads.
      broken:
        ended === 'broken' || (ended === 'end' && seen.size < Math.min(...totals)) || newestFirst().some(isForeign),
      unreadable: null,
    }

  const fromTop = newestFirst()
  const behind: Edge[] = []
  await walk({
    ask: (last, before) => gateway.listUserTransactions(user, { last, ...(before === undefined ? {} : { before }) }),
    take: (list) => {
      behind.unshift(...list.edges.filter(({ node }) => !seen.has(node.transaction_uuid)))
      return list.edges.length > 0 && keep(list) < list.edges.length
    },
    next: ({ edges, page_info }) => (page_info.has_previous_page ? (page_info.start_cursor ?? edges[0]?.cursor) : null),
  })
  return { edges: [...fromTop, ...behind], complete: false, broken: true, unreadable: ended.unreadable }
}
