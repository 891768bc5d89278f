'use client'

import { useMemo } from 'react'
import type { WithdrawalListRow } from '#lib/contract/operate/lists.ts'
import { recordHref } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'
import { AmountText } from '../ui/amount-text.tsx'
import type { DataColumn } from '../ui/data-table.tsx'
import { LinkedId } from '../ui/linked-id.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { CodeCell, StatusCell, UserCell } from './cells.tsx'
import { ConsoleList } from './console-list.tsx'

const idOf = (row: WithdrawalListRow): string => row.id
const hrefOf = (row: WithdrawalListRow): string => recordHref('withdrawals', row.id)

export default function WithdrawalsPage() {
  const { t } = useConsoleText()
  const columns = useMemo(
    (): readonly DataColumn<WithdrawalListRow>[] => [
      {
        id: 'created_at',
        header: t('column.requested_at'),
        cell: (row) => <TimeText iso={row.created_at} />,
        sortable: true,
      },
      {
        id: 'id',
        header: t('column.withdrawal_id'),
        cell: (row) => <LinkedId id={row.id} name={t('column.withdrawal_id')} page="withdrawals" />,
        names: true,
      },
      {
        id: 'status',
        header: t('column.status'),
        cell: (row) => <StatusCell status={row.status} attention={row.attention} />,
        sortable: true,
      },
      {
        id: 'amount',
        header: t('column.amount'),
        cell: (row) => <AmountText amount={row.amount} code={row.currency_code} network={row.network} />,
        align: 'end',
      },
      {
        id: 'user_reference_id',
        header: t('column.user'),
        cell: (row) => <UserCell user={row.user_reference_id} />,
        sortable: true,
      },
      {
        id: 'wallet_address',
        header: t('column.to_address'),
        cell: (row) => <CodeCell text={row.wallet_address} name={t('column.to_address')} />,
      },
      {
        id: 'failure_reason',
        header: t('column.failure_reason'),
        cell: (row) => row.failure_reason !== null && <code className="font-mono text-s">{row.failure_reason}</code>,
        extra: true,
      },
      {
        id: 'transaction_uuid',
        header: t('column.transaction_uuid'),
        cell: (row) => <LinkedId id={row.transaction_uuid} name={t('column.transaction_uuid')} page="transactions" />,
        extra: true,
      },
      {
        id: 'paid_amount',
        header: t('column.paid_amount'),
        cell: (row) => row.paid_amount !== null && <AmountText amount={row.paid_amount} code={row.currency_code} />,
        align: 'end',
        extra: true,
      },
      {
        id: 'updated_at',
        header: t('column.updated_at'),
        cell: (row) => <TimeText iso={row.updated_at} />,
        extra: true,
      },
    ],
    [t],
  )
  return <ConsoleList list="withdrawals" columns={columns} rowId={idOf} rowHref={hrefOf} />
}
