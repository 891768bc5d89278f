import type { MerchantTransactionsPage, MerchantTransactionsQuery } from '#lib/contract/merchant-requests.ts'
import type { Gateway, TransactionRecord } from '../gateway/types.ts'
import { compareTexts } from '../ledger/compare.ts'
import { merchantReferenceOf, type Fact } from '../ledger/facts.ts'
import type { Store, TransactionRow, WithdrawalRow } from '../store/types.ts'
import { gatewayProblem } from './gateway-problem.ts'
import { recordNode, type LocalMatch } from './history-rows.ts'

export interface ListAllTransactionsOptions {
  readonly store: Store
  readonly gateway: Pick<Gateway, 'showMerchantTransactions' | 'showUserTransactions' | 'statuses'>
}

const PAGE = 20

const kindOf = (type: string): 'deposit' | 'payout' => (type.toLowerCase() === 'payout' ? 'payout' : 'deposit')

/** True if a row or fact is about the record's transaction and names the same user. */
const isOf = (
  one: Pick<Fact, 'transaction_uuid' | 'kind' | 'user_reference_id'>,
  { transaction_uuid, user_ref_id, type }: TransactionRecord,
): boolean =>
  one.transaction_uuid === transaction_uuid &&
  one.kind === kindOf(type) &&
  compareTexts(one.user_reference_id, user_ref_id) === 'agree'

/** What we know about a record, from rows of the same user only. */
function matchOf(
  record: TransactionRecord,
  rows: readonly TransactionRow[],
  withdrawals: ReadonlyMap<string, WithdrawalRow>,
): LocalMatch {
  const row = rows.find((one) => isOf(one, record))
  const withdrawal = withdrawals.get(row?.withdrawal_id ?? '')
  return { ...(row && { status: row.status }), ...(withdrawal && { withdrawal }) }
}

/**
 * `GET /api/merchant/transactions`: the gateway's list across all users or of one user, with our reading of each
 * status. Transactions that the list does not have (yet) are not in it.
 * @throws gateway problems
 */
export const createListAllTransactions =
  ({ store, gateway }: ListAllTransactionsOptions) =>
  async ({ user_reference_id: user, ...asked }: MerchantTransactionsQuery): Promise<MerchantTransactionsPage> => {
    const query = asked.first === undefined && asked.last === undefined ? { ...asked, first: PAGE } : asked
    const asking =
      user === undefined ? gateway.showMerchantTransactions(query) : gateway.showUserTransactions(user, query)
    const { left_out, ...list } = await asking.catch((error: unknown) => {
      throw gatewayProblem(error)
    })
    const uuids = list.edges.map(({ node }) => node.transaction_uuid)
    const rows = await store.transactions.byUuids(uuids)
    const facts = await store.transactions.factsOf(uuids)
    const withdrawals = await store.withdrawals.byIds(
      rows.flatMap((row) =>
        row.withdrawal_id === null || row.user_reference_id === null
          ? []
          : [[row.user_reference_id, row.withdrawal_id]],
      ),
    )
    const byId = new Map(withdrawals.map((row) => [row.id, row]))
    return {
      ...list,
      ...(left_out > 0 && { left_out }),
      edges: list.edges.map(({ cursor, inserted_at, node }) => ({
        cursor,
        inserted_at,
        node: {
          ...recordNode(node, matchOf(node, rows, byId), gateway.statuses),
          user_reference_id: node.user_ref_id,
          merchant_reference: merchantReferenceOf(facts.filter((fact) => isOf(fact, node))),
        },
      })),
    }
  }
