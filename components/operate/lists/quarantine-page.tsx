'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import type { QuarantineListRow } from '#lib/contract/operate/lists.ts'
import { mayActAs } from '#lib/contract/operate/operators.ts'
import { ConsoleLink } from '../context/address.tsx'
import { useOperator } from '../context/operator.tsx'
import { namesTransaction, recordHref } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'
import { SettleLinesDialog } from '../decide/settle-lines-dialog.tsx'
import type { DataColumn } from '../ui/data-table.tsx'
import { LinkedId } from '../ui/linked-id.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { UserCell } from './cells.tsx'
import { ConsoleList } from './console-list.tsx'

const idOf = (row: QuarantineListRow): string => row.id
const isOpen = (row: QuarantineListRow): boolean => row.settled_at === null
const hrefOf = (row: QuarantineListRow): string => recordHref('quarantine', row.id)

export default function QuarantinePage() {
  const { t } = useConsoleText()
  const columns = useMemo(
    (): readonly DataColumn<QuarantineListRow>[] => [
      {
        id: 'received_at',
        header: t('column.received_at'),
        cell: (row) => <TimeText iso={row.received_at} />,
        sortable: true,
      },
      {
        id: 'reason',
        header: t('column.reason'),
        cell: (row) => (
          <ConsoleLink href={hrefOf(row)} className="text-accent underline-offset-2 hover:underline">
            {t(`reason.${row.reason}`)}
          </ConsoleLink>
        ),
        sortable: true,
        names: true,
      },
      {
        id: 'event_name',
        header: t('column.event_name'),
        cell: (row) =>
          row.event_name !== null && <code className="font-mono text-s wrap-break-word">{row.event_name}</code>,
      },
      { id: 'user_reference_id', header: t('column.user'), cell: (row) => <UserCell user={row.user_reference_id} /> },
      {
        id: 'transaction_uuid',
        header: t('column.transaction_uuid'),
        cell: ({ transaction_uuid: id }) =>
          namesTransaction(id) && <LinkedId id={id} name={t('column.transaction_uuid')} page="transactions" />,
      },
      {
        id: 'settled_at',
        header: t('column.settled_at'),
        cell: (row) => row.settled_at !== null && <TimeText iso={row.settled_at} />,
      },
      { id: 'settled_by', header: t('column.settled_by'), cell: (row) => row.settled_by, extra: true },
      { id: 'note', header: t('column.note'), cell: (row) => row.note, extra: true },
    ],
    [t],
  )
  const mayAct = mayActAs(useOperator().role, 'agent')
  const [ids, setIds] = useState<readonly string[]>([])
  return (
    <ConsoleList
      list="quarantine"
      columns={columns}
      rowId={idOf}
      rowHref={hrefOf}
      canSelect={isOpen}
      {...(mayAct && { selection: { ids, onChange: setIds } })}
    >
      {ids.length > 0 && <SelectedLines ids={ids} onDone={() => setIds([])} />}
    </ConsoleList>
  )
}

/** What can be done to the lines that are selected. */
function SelectedLines({ ids, onDone }: { readonly ids: readonly string[]; readonly onDone: () => void }) {
  const { t } = useConsoleText()
  const cache = useQueryClient()
  const [act, setAct] = useState<'apply' | 'dismiss' | null>(null)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p role="status" className="text-s text-ink-2">
        {t('quarantine.selected', { count: ids.length })}
      </p>
      {(['apply', 'dismiss'] as const).map((name) => (
        <Button key={name} variant="chip" onClick={() => setAct(name)}>
          {t(`decide.act.${name}`)}
        </Button>
      ))}
      {act !== null && (
        <SettleLinesDialog
          action={act}
          ids={ids}
          onClose={(done) => {
            setAct(null)
            if (!done) return
            onDone()
            void cache.invalidateQueries()
          }}
        />
      )}
    </div>
  )
}
