'use client'

import { useMemo } from 'react'
import { Pill } from '#components/ui/tone.tsx'
import type { PayoutListRow } from '#lib/contract/operate/lists.ts'
import { recordHref } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'
import { AmountText } from '../ui/amount-text.tsx'
import type { DataColumn } from '../ui/data-table.tsx'
import { LinkedId } from '../ui/linked-id.tsx'
import { StatusBadge } from '../ui/status-badge.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { CodeCell, UserCell } from './cells.tsx'
import { ConsoleList } from './console-list.tsx'

const idOf = (row: PayoutListRow): string => row.transaction_uuid
const hrefOf = (row: PayoutListRow): string => recordHref('payouts', row.transaction_uuid)

function OwnerCell({ row }: { readonly row: PayoutListRow }) {
  const { t } = useConsoleText()
  if (row.owner === 'withdrawal')
    return <LinkedId id={row.withdrawal_id} name={t('column.withdrawal_id')} page="withdrawals" />
  if (row.owner !== null) return t(`owner.${row.owner}`)
  return row.awaits_list ? <Pill tone="wait">{t('owner.awaitsList')}</Pill> : <Pill tone="bad">{t('owner.none')}</Pill>
}

export default function PayoutsPage() {
  const { t } = useConsoleText()
  const columns = useMemo(
    (): readonly DataColumn<PayoutListRow>[] => [
      {
        id: 'first_seen_at',
        header: t('column.first_seen_at'),
        cell: (row) => <TimeText iso={row.first_seen_at} />,
        sortable: true,
      },
      {
        id: 'transaction_uuid',
        header: t('column.transaction_uuid'),
        cell: (row) => <LinkedId id={row.transaction_uuid} name={t('column.transaction_uuid')} page="payouts" />,
        names: true,
      },
      { id: 'status', header: t('column.status'), cell: (row) => <StatusBadge status={row.status} /> },
      { id: 'owner', header: t('column.owner'), cell: (row) => <OwnerCell row={row} /> },
      {
        id: 'amount',
        header: t('column.amount'),
        cell: (row) =>
          row.amount === null ? null : (
            <AmountText amount={row.amount} code={row.currency_code} network={row.network} />
          ),
        align: 'end',
      },
      {
        id: 'user_reference_id',
        header: t('column.user'),
        cell: (row) => <UserCell user={row.user_reference_id} />,
        sortable: true,
      },
      {
        id: 'to_address',
        header: t('column.to_address'),
        cell: (row) => <CodeCell text={row.to_address} name={t('column.to_address')} />,
        extra: true,
      },
      { id: 'note', header: t('column.note'), cell: (row) => row.note, extra: true },
      {
        id: 'updated_at',
        header: t('column.updated_at'),
        cell: (row) => <TimeText iso={row.updated_at} />,
        extra: true,
      },
    ],
    [t],
  )
  return <ConsoleList list="payouts" columns={columns} rowId={idOf} rowHref={hrefOf} />
}
