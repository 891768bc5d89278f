'use client'

import { useQuery } from '@tanstack/react-query'
import { useMemo, useState, type ReactNode } from 'react'
import * as z from 'zod/mini'
import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/tone.tsx'
import { deliveriesQuery, type DeliveryFilterText } from '#lib/browser/operate/deliveries.ts'
import type { Delivery, DeliveriesPage } from '#lib/contract/operate/deliveries.ts'
import { ConsoleLink, useAddressState } from '../context/address.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { AmountText } from '../ui/amount-text.tsx'
import { DataTable, type DataColumn } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { IdText } from '../ui/id-text.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { useCodeText } from '../ui/use-code-text.ts'
import { useDeliveriesAccess } from './deliveries-access.tsx'
import { DeliveryStateBadge, OutcomeText } from './delivery-badges.tsx'
import { DeliveryFilterForm, StateChoice } from './delivery-filters.tsx'
import { ResendDialog, type ResendWhat } from './resend-dialog.tsx'

const text = z.optional(z.string().check(z.maxLength(200)))
/** What the address of the list may have. */
export const deliveriesAddress = z.object({
  state: z.optional(z.enum(['waiting', 'failing', 'dead', 'delivered'])),
  transaction: text,
  user: text,
  outcome: text,
  from: text,
  to: text,
  after: text,
  columns: z.optional(z.string()),
})

/** Without one of these, an order would send the whole feed again. */
const isNarrow = ({ state, transaction, user, outcome, from }: DeliveryFilterText): boolean =>
  [transaction, user, outcome, from].some((given) => given !== undefined && given !== '') ||
  (state !== undefined && state !== 'delivered')

/** The list of deliveries: filters in the address, newest first, and sending again. */
export function DeliveryList({
  shown,
  children,
}: {
  /** The ids of the shown columns; undefined: all. */
  readonly shown?: readonly string[] | undefined
  /** Tools of the list. */
  readonly children?: ReactNode
}) {
  const { t } = useConsoleText()
  const { client, hrefOf, mayResend } = useDeliveriesAccess()
  const [{ after, columns: _, ...filter }, change] = useAddressState(deliveriesAddress)
  const list = useQuery(deliveriesQuery(client, filter, after))
  const [selected, setSelected] = useState<readonly string[]>([])
  const [resend, setResend] = useState<ResendWhat | null>(null)
  const columns = useDeliveryColumns()
  const page = list.data
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {page?.endpoint === null && <Notice tone="plain">{t('deliveries.noWebhook')}</Notice>}
      <StateChoice
        state={filter.state}
        counts={page?.counts}
        onChange={(state) => change({ state, after: undefined })}
      />
      <DeliveryFilterForm
        key={JSON.stringify(filter)}
        filter={filter}
        onChange={(changes) => change({ ...changes, after: undefined })}
      />
      {children}
      {mayResend && page !== undefined && (
        <div className="flex flex-wrap gap-2">
          {selected.length > 0 && (
            <Button variant="chip" onClick={() => setResend({ ids: selected, asOf: page.as_of })}>
              {t('deliveries.resendSelected', { count: selected.length })}
            </Button>
          )}
          {isNarrow(filter) && (
            <Button variant="chip" onClick={() => setResend({ filter })}>
              {t('deliveries.resendMatching')}
            </Button>
          )}
          <Button variant="chip" onClick={() => setResend({ since: '' })}>
            {t('deliveries.resendSince')}
          </Button>
        </div>
      )}
      <DataTable
        caption={t('page.deliveries')}
        columns={columns}
        rows={page?.deliveries}
        rowId={({ id }) => id}
        rowHref={({ id }) => hrefOf(id)}
        shown={shown}
        stale={list.isPlaceholderData}
        error={list.error}
        onRetry={() => void list.refetch()}
        {...(mayResend && { selection: { ids: selected, onChange: setSelected } })}
        empty={<EmptyState title={t('deliveries.none')}>{t('deliveries.noneHelp')}</EmptyState>}
      />
      {page !== undefined && <Pager page={page} after={after} onGo={(next) => change({ after: next })} />}
      {resend !== null && (
        <ResendDialog
          what={resend}
          onClose={() => {
            setResend(null)
            setSelected([])
          }}
        />
      )}
    </div>
  )
}

function Pager({
  page,
  after,
  onGo,
}: {
  readonly page: DeliveriesPage
  readonly after: string | undefined
  readonly onGo: (after: string | undefined) => void
}) {
  const { t, rich } = useConsoleText()
  const { next_cursor: next, looked_back_to: looked } = page
  return (
    <div className="flex flex-wrap items-center gap-2">
      {after !== undefined && (
        <Button variant="quiet" onClick={() => onGo(undefined)}>
          {t('deliveries.first')}
        </Button>
      )}
      {next !== null && (
        <Button variant="quiet" onClick={() => onGo(next)}>
          {t('deliveries.older')}
        </Button>
      )}
      {looked !== null && (
        <p className="text-s text-ink-2">{rich('deliveries.looked', { time: () => <TimeText iso={looked} /> })}</p>
      )}
    </div>
  )
}

export function useDeliveryColumns(): readonly DataColumn<Delivery>[] {
  const { t } = useConsoleText()
  const { hrefOf, pages } = useDeliveriesAccess()
  return useMemo(
    () => [
      {
        id: 'event',
        header: t('deliveries.column.event'),
        names: true,
        cell: (row) => <EventText delivery={row} href={hrefOf(row.id)} />,
      },
      {
        id: 'state',
        header: t('deliveries.column.state'),
        cell: (row) => <DeliveryStateBadge state={row.state} sending={row.sending} />,
      },
      {
        id: 'last',
        header: t('deliveries.column.last'),
        cell: ({ last }) =>
          last === null ? (
            <span className="text-ink-2">{t('deliveries.noAttempt')}</span>
          ) : (
            <>
              <OutcomeText outcome={last.outcome} /> <TimeText iso={last.at} />
            </>
          ),
      },
      {
        id: 'next',
        header: t('deliveries.column.next'),
        cell: ({ next_at: next, waits_for: before }) =>
          before !== null ? t('deliveries.behind') : next === null ? '' : <TimeText iso={next} future />,
      },
      {
        id: 'transaction',
        header: t('deliveries.column.transaction'),
        cell: ({ transaction_uuid: uuid }) =>
          uuid !== null && (
            <IdText
              id={uuid}
              short
              name={t('deliveries.column.transaction')}
              {...(pages !== null && { href: pages.transaction(uuid) })}
            />
          ),
      },
      {
        id: 'user',
        header: t('deliveries.column.user'),
        cell: ({ user_reference_id: user }) =>
          user !== null && (
            <IdText id={user} name={t('deliveries.column.user')} {...(pages !== null && { href: pages.user(user) })} />
          ),
      },
      { id: 'created', header: t('deliveries.column.created'), cell: (row) => <TimeText iso={row.created_at} /> },
    ],
    [t, hrefOf, pages],
  )
}

/** What an event says: such as `deposit succeeded`, and the amount. */
export function EventText({ delivery, href }: { readonly delivery: Delivery; readonly href?: string }) {
  const { kind, status, amount, currency_code: code, network } = delivery
  const { kindText, statusText } = useCodeText()
  const name = `${kindText(kind)}: ${statusText(status)}`
  return (
    <span className="grid">
      {href === undefined ? (
        <span>{name}</span>
      ) : (
        <ConsoleLink href={href} className="font-semibold text-accent underline-offset-2 hover:underline">
          {name}
        </ConsoleLink>
      )}
      {amount !== null && <AmountText amount={amount} code={code} network={network} />}
    </span>
  )
}
