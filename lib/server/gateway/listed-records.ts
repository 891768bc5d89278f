/** Records of the gateway's list, in neutral terms for the ledger. */
import type { Fact, ListedRecord } from '../ledger/facts.ts'
import type { StatusReader } from './status-words.ts'
import type { TransactionsList } from './types.ts'

const RECORD_KINDS = ['deposit', 'payout'] as const
type RecordKind = (typeof RECORD_KINDS)[number]

/** The kind of a record by its `type`, in any case; undefined for an undocumented type. */
export const kindOf = (type: string): RecordKind | undefined => RECORD_KINDS.find((kind) => kind === type.toLowerCase())

/** An empty text counts as absent, as in webhooks. */
const textOf = (text: string | null): string | null => (text === '' ? null : text)

type Edge = TransactionsList['edges'][number]

function factOf({ node: record, inexact }: Edge, kind: RecordKind, statuses: StatusReader): Fact {
  const { transaction_uuid, amount, amount_usd, provider_transaction_id } = record
  return {
    kind,
    transaction_uuid,
    status: kind === 'payout' ? statuses.payout(record.status) : statuses.record(record.status),
    source: 'reconciliation',
    user_reference_id: record.user_ref_id,
    currency_id: record.currency.id,
    currency_code: record.currency.code,
    network: record.currency.network,
    amount,
    ...(inexact === true && { inexact }),
    amount_usd,
    to_address: textOf(record.to_address),
    from_address: textOf(record.from_address),
    tx_hash: textOf(record.tx_hash),
    payment_method: null,
    provider_transaction_id,
    from_amount: null,
    from_currency: null,
    correlation_key: textOf(record.correlation_key),
    session_reference: null,
    occurred_at: record.updated_at ?? record.inserted_at,
  }
}

/** A page of the list in the ledger's terms, in the same order. */
export const listedRecords = (edges: TransactionsList['edges'], statuses: StatusReader): readonly ListedRecord[] =>
  edges.map((edge) => {
    const { node, cursor } = edge
    const { id, name, code, symbol, network, network_icon } = node.currency
    const kind = kindOf(node.type)
    const fact = kind === undefined ? null : factOf(edge, kind, statuses)
    return {
      transaction_uuid: node.transaction_uuid,
      user_reference_id: node.user_ref_id,
      type: node.type,
      status: node.status,
      inserted_at: node.inserted_at,
      cursor,
      record: JSON.stringify(node),
      currency: { id, name, currency_code: code, symbol, network, ...(network_icon !== null && { network_icon }) },
      fact,
      ...(fact === null && { readings: RECORD_KINDS.map((one) => factOf(edge, one, statuses)) }),
      ...(statuses.isChangeable(node.status) && { changeable: true }),
    }
  })
