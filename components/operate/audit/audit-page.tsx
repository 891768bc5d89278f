'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { useMemo } from 'react'
import { Button } from '#components/ui/button.tsx'
import { auditLogQuery, auditNamesQuery } from '#lib/browser/operate/audit.ts'
import { AUDIT_ADDRESS, auditCheck, auditFileText, type AuditEntryView } from '#lib/contract/operate/audit.ts'
import { FIRST_PAGE, viewQueryOf } from '#lib/contract/operate/list-address.ts'
import { mayActAs } from '#lib/contract/operate/operators.ts'
import { ConsoleLink, useAddress, useAddressState } from '../context/address.tsx'
import { useConsoleClient } from '../context/client.tsx'
import { useOperator } from '../context/operator.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { ActiveFilters } from '../lists/active-filters.tsx'
import type { FilterField } from '../lists/filter-fields.ts'
import { ListToolbar } from '../lists/list-toolbar.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ListPager } from '../ui/list-pager.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useColumns } from '../ui/use-columns.ts'
import { AuditCheckResult } from './audit-check.tsx'
import { auditColumns } from './audit-columns.tsx'

/** The whole log is read. */
const CHECK_TIMEOUT_MS = 300_000

const NO_NAMES = { operators: [], actions: [] }
const idOf = ({ seq }: AuditEntryView): string => String(seq)

/** What operators did, and what they opened about a person. The filters and the page are in the address. */
export default function AuditPage() {
  const { t } = useConsoleText()
  const client = useConsoleClient()
  const { path } = useAddress()
  const { role } = useOperator()
  const address = useAddressState(AUDIT_ADDRESS)
  const [state, change] = address
  const page = useQuery(auditLogQuery(client, state))
  const { data: names = NO_NAMES } = useQuery(auditNamesQuery(client))
  const check = useMutation({
    mutationFn: () => client.send('POST', 'audit/checks', undefined, auditCheck, CHECK_TIMEOUT_MS),
  })
  const columns = useMemo(() => auditColumns(t), [t])
  const chosen = useColumns('audit', columns, address)
  const fields = useMemo(
    (): readonly FilterField[] => [
      { name: 'operator', label: 'audit.filter.operator', kind: 'text', known: names.operators },
      { name: 'action', label: 'audit.filter.action', kind: 'text', known: names.actions },
      { name: 'about', label: 'audit.filter.about', kind: 'text' },
      { name: 'from', label: 'filter.from', kind: 'day' },
      { name: 'to', label: 'filter.to', kind: 'day' },
    ],
    [names],
  )
  const active = fields.filter(({ name }) => state[name] !== undefined)
  const cleared = { ...Object.fromEntries(fields.map(({ name }) => [name, undefined])), ...FIRST_PAGE }
  const { next = null } = page.data ?? {}
  const hrefWith = (before: string | undefined): string => {
    const query = new URLSearchParams(viewQueryOf(state))
    if (before !== undefined) query.set('before', before)
    return query.size === 0 ? path : `${path}?${query}`
  }
  return (
    <>
      <PageHead
        title={t('page.audit')}
        about={t('audit.about')}
        actions={
          mayActAs(role, 'admin') && (
            <Button busy={check.isPending} onClick={() => check.mutate()}>
              <ShieldCheck aria-hidden size={18} />
              {t('audit.check')}
            </Button>
          )
        }
      />
      <AuditCheckResult check={check} />
      <div className="mb-4 grid gap-3">
        <ListToolbar
          list="audit"
          address={address}
          fields={fields}
          chosen={chosen}
          fileHref={`/api/operate/audit.csv?${auditFileText(state)}`}
        />
        <ActiveFilters
          fields={fields}
          state={state}
          onRemove={(name) => change({ [name]: undefined, ...FIRST_PAGE })}
        />
        {state['before'] !== undefined && (
          <p className="text-s">
            <ConsoleLink href={hrefWith(undefined)} className="text-accent underline-offset-2 hover:underline">
              {t('audit.newest')}
            </ConsoleLink>
          </p>
        )}
      </div>
      <DataTable
        caption={t('page.audit')}
        columns={columns}
        rows={page.data?.entries}
        rowId={idOf}
        shown={chosen.shown}
        stale={page.isPlaceholderData}
        error={page.error}
        onRetry={() => void page.refetch()}
        empty={
          active.length > 0 ? (
            <EmptyState title={t('list.noneFiltered')}>
              <p>{t('list.noneFilteredHelp')}</p>
              <Button className="mt-3 text-s" onClick={() => change(cleared)}>
                {t('filter.clear')}
              </Button>
            </EmptyState>
          ) : (
            <EmptyState title={t('audit.none')}>{t('audit.noneHelp')}</EmptyState>
          )
        }
      />
      <ListPager previous={null} next={next === null ? null : hrefWith(next)} searchedTo={null} />
    </>
  )
}
