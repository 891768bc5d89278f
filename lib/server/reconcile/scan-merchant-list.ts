import { isGatewayError } from '../gateway/errors.ts'
import { isTransient } from '../gateway/classify-failure.ts'
import { listedRecords } from '../gateway/listed-records.ts'
import type { Gateway, TransactionsList } from '../gateway/types.ts'
import { showPayouts } from '../ledger/apply-records.ts'
import { possibleFacts } from '../ledger/facts.ts'
import type { Store } from '../store/types.ts'

export type ReadMerchantList = Pick<Gateway, 'listMerchantTransactions'>

export interface MerchantListOptions {
  readonly store: Pick<Store, 'dueUsers' | 'records' | 'unitOfWork' | 'users'>
  readonly gateway: ReadMerchantList
  readonly statuses: Gateway['statuses']
  /** `LEDGER_START`. */
  readonly ledgerStartMs: number
}

export interface MerchantScanOptions {
  /** By the gateway's clock. A page whose records are all older is the last one. */
  readonly sinceMs: number
  readonly mostPages: number
  /** Asked before each page; false ends the scan as `failed`. */
  readonly goOn: () => boolean
}

/**
 * How a scan ended: `read`; `useless` if the gateway does not offer this list, or not in a usable form; `failed` if the
 * scan may be tried again.
 */
export type MerchantScan = 'read' | 'useless' | 'failed'

/** The form of our users' ids; other names are not looked up, whatever characters they have. */
const USER = /^[A-Za-z0-9_-]{1,128}$/
const UUID = /^[\x20-\x7e]{1,128}$/

/** Records per page; the gateway may return fewer. */
const PAGE = 100

/**
 * Reads the gateway's list across all users, newest first, and makes each user due whose record is not stored with its
 * present status. It books nothing: each user's own list is then read, since the shape of this list is not documented
 * (docs/internal/gateway-assumptions.md). Until that list shows them, its payouts bar the proof of an absence.
 */
export const createScanMerchantList = ({ store, gateway, statuses, ledgerStartMs }: MerchantListOptions) => {
  const showNew = async (edges: TransactionsList['edges']): Promise<void> => {
    const payouts = listedRecords(edges, statuses).filter(({ fact }) => fact?.kind === 'payout')
    const known = await store.users.knownAmong([...new Set(payouts.map((listed) => listed.user_reference_id))])
    const shown = payouts.filter((listed) => known.has(listed.user_reference_id))
    if (shown.length > 0)
      await store.unitOfWork({ users: [...known], transactions: shown.flatMap(possibleFacts) }, (unit) => {
        showPayouts(unit, shown, { ledgerStartMs })
      })
  }

  const scheduleChanged = async (list: TransactionsList): Promise<void> => {
    const keyOf = (user: string, uuid: string): string => `${user} ${uuid}`
    const edges = list.edges.filter(({ node }) => USER.test(node.user_ref_id) && UUID.test(node.transaction_uuid))
    const nodes = edges.map(({ node }) => node)
    const rows = await store.records.byKeys(nodes.map((node) => [node.user_ref_id, node.transaction_uuid]))
    const stored = new Map(rows.map((row) => [keyOf(row.user_reference_id, row.transaction_uuid), row.status]))
    const changed = nodes.filter((node) => stored.get(keyOf(node.user_ref_id, node.transaction_uuid)) !== node.status)
    try {
      await showNew(edges.filter(({ node }) => !stored.has(keyOf(node.user_ref_id, node.transaction_uuid))))
    } finally {
      await store.dueUsers.scheduleAsOpen([...new Set(changed.map((node) => node.user_ref_id))])
    }
  }

  const ask = async (after: string | undefined): Promise<TransactionsList | 'useless' | 'failed'> => {
    try {
      return await gateway.listMerchantTransactions({ first: PAGE, ...(after === undefined ? {} : { after }) })
    } catch (error) {
      if (!isGatewayError(error)) throw error
      return isTransient(error) || error.kind === 'rate_limited' ? 'failed' : 'useless'
    }
  }

  return async ({ sinceMs, mostPages, goOn }: MerchantScanOptions): Promise<MerchantScan> => {
    let cursor: string | undefined
    for (let pages = 0; pages < mostPages; pages += 1) {
      if (!goOn()) return 'failed'
      const list = await ask(cursor)
      if (typeof list === 'string') return list
      const { edges, page_info } = list
      // An empty list proves nothing: the gateway may not maintain it.
      if (edges.length === 0) return pages === 0 || page_info.has_next_page ? 'useless' : 'read'
      await scheduleChanged(list)
      if (!page_info.has_next_page || edges.every(({ node }) => Date.parse(node.inserted_at) < sinceMs)) return 'read'
      const next = page_info.end_cursor ?? edges.at(-1)?.cursor
      if (next === undefined || next === cursor) return 'useless'
      cursor = next
    }
    return 'read'
  }
}
