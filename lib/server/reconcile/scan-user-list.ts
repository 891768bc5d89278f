import type { Gateway, TransactionsList } from '../gateway/port.ts'

export type Edge = TransactionsList['edges'][number]

/** The records of a scan of a user's list. `complete`: every page read, and as many records as `total_count` said. */
export interface Scan {
  readonly edges: readonly Edge[]
  readonly complete: boolean
}

export interface ScanOptions {
  /** Stop after a page whose records are all older; the scan is not complete then. */
  readonly sinceMs?: number
  readonly signal?: AbortSignal
}

/** Records a page; the gateway may return fewer. */
const PAGE = 100

/** Limit of pages: no user has a longer list. */
const MOST_PAGES = 1000

const older = (edge: Edge, sinceMs: number): boolean => Date.parse(edge.node.inserted_at) < sinceMs

/**
 * Reads a user's list page by page, newest first. A repeated cursor, an empty page that claims a next one, or a count
 * that changes meanwhile makes the scan incomplete: it can then prove presence, never absence.
 * Throws gateway errors.
 */
export async function scanList(
  gateway: Pick<Gateway, 'listUserTransactions'>,
  user: string,
  { sinceMs, signal }: ScanOptions = {},
): Promise<Scan> {
  const seen = new Map<string, Edge>()
  const cursors = new Set<string>()
  let total: number | null = null
  let steady = true
  let after: string | undefined

  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const list = await gateway.listUserTransactions(
      user,
      { first: PAGE, ...(after === undefined ? {} : { after }) },
      signal === undefined ? {} : { signal },
    )
    steady &&= total === null || total === list.total_count
    total = list.total_count
    for (const edge of list.edges) seen.set(edge.node.transaction_uuid, edge)
    const edges = [...seen.values()]
    if (!list.page_info.has_next_page) return { edges, complete: steady && edges.length === total }
    if (sinceMs !== undefined && list.edges.length > 0 && list.edges.every((edge) => older(edge, sinceMs)))
      return { edges, complete: false }
    const next = list.page_info.end_cursor ?? list.edges.at(-1)?.cursor
    if (next === undefined || cursors.has(next) || list.edges.length === 0) return { edges, complete: false }
    cursors.add(next)
    after = next
  }
  return { edges: [...seen.values()], complete: false }
}
