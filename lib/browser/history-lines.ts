/** The history as lines of a file: amounts as plain decimals, times in ISO 8601. */
import type { TransactionNode } from '#lib/contract/cashier.ts'
import type { Translator } from '#lib/i18n/translator.ts'
import { historyItem } from './history-items.ts'

type Text = Translator['text']

/** The columns' names, in the user's language. @param showsValues `VALUES` is on */
export const historyHeader = (text: Text, showsValues: boolean): readonly string[] => [
  text('details.created'),
  text('history.type'),
  text('details.status'),
  text('details.amount'),
  text('details.currency'),
  text('details.network'),
  text('details.from'),
  text('details.to'),
  text('details.hash'),
  text('details.transactionId'),
  ...(showsValues ? [`${text('details.value')} (USD)`] : []),
]

export function historyLine(node: TransactionNode, text: Text, showsValues: boolean): readonly string[] {
  const { kind, display } = historyItem(node)
  return [
    node.inserted_at,
    kind === null ? node.type : text(`history.kind.${kind}`),
    text(display.label),
    node.amount,
    node.currency.code,
    node.currency.network,
    node.from_address ?? '',
    node.to_address ?? '',
    node.tx_hash ?? '',
    node.transaction_uuid ?? node.withdrawal_id ?? '',
    ...(showsValues ? [node.amount_usd ?? ''] : []),
  ]
}
