'use client'

import { useMemo } from 'react'
import type { TransactionListRow } from '#lib/contract/operate/lists.ts'
import { recordHref } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'
import { AmountText } from '../ui/amount-text.tsx'
import type { DataColumn } from '../ui/data-table.tsx'
import { LinkedId } from '../ui/linked-id.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { CodeCell, StatusCell, UserCell } from './cells.tsx'
import { ConsoleList } from './console-list.tsx'

const idOf = (row: TransactionListRow): string => `${row.kind} ${row.transaction_uuid}`
const hrefOf = (row: TransactionListRow): string => recordHref('transactions', row.transaction_uuid)

export default function TransactionsPage() {
  const { t } = useConsoleText()
  const columns = useMemo((): readonly DataColumn<TransactionListRow>[] => {
    const code = (
      id: 'from_address' | 'to_address' | 'tx_hash' | 'onramp_session_id',
    ): DataColumn<TransactionListRow> => ({
      id,
      header: t(`column.${id}`),
      cell: (row) => <CodeCell text={row[id]} name={t(`column.${id}`)} />,
      extra: true,
    })
    return [
      {
        id: 'created_at',
        header: t('column.created_at'),
        cell: (row) => <TimeText iso={row.created_at} />,
        sortable: true,
      },
      {
        id: 'transaction_uuid',
        header: t('column.transaction_uuid'),
        cell: (row) => <LinkedId id={row.transaction_uuid} name={t('column.transaction_uuid')} page="transactions" />,
        names: true,
      },
      { id: 'kind', header: t('column.kind'), cell: (row) => t(`kind.${row.kind}`) },
      {
        id: 'status',
        header: t('column.status'),
        cell: (row) => <StatusCell status={row.status} attention={row.attention} />,
      },
      {
        id: 'amount',
        header: t('column.amount'),
        cell: (row) =>
          row.amount === null ? null : (
            <AmountText amount={row.amount} code={row.currency_code} network={row.network} />
          ),
        align: 'end',
      },
      { id: 'user_reference_id', header: t('column.user'), cell: (row) => <UserCell user={row.user_reference_id} /> },
      {
        id: 'withdrawal_id',
        header: t('column.withdrawal_id'),
        cell: (row) => <LinkedId id={row.withdrawal_id} name={t('column.withdrawal_id')} page="withdrawals" />,
        extra: true,
      },
      {
        id: 'amount_usd',
        header: t('column.amount_usd'),
        cell: (row) => row.amount_usd !== null && <AmountText amount={row.amount_usd} code="USD" />,
        align: 'end',
        extra: true,
      },
      code('from_address'),
      code('to_address'),
      code('tx_hash'),
      code('onramp_session_id'),
      { id: 'payment_method', header: t('column.payment_method'), cell: (row) => row.payment_method, extra: true },
      {
        id: 'updated_at',
        header: t('column.updated_at'),
        cell: (row) => <TimeText iso={row.updated_at} />,
        extra: true,
      },
    ]
  }, [t])
  return <ConsoleList list="transactions" columns={columns} rowId={idOf} rowHref={hrefOf} />
}
