'use client'

import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Button } from '#components/ui/button.tsx'
import { deliveryQuery } from '#lib/browser/operate/deliveries.ts'
import type { Delivery, DeliveryAttempt, DeliveryDetail } from '#lib/contract/operate/deliveries.ts'
import { ConsoleLink } from '../context/address.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { IdText } from '../ui/id-text.tsx'
import { legibleJson } from '../ui/legible-json.ts'
import { LoadingFailure } from '../ui/loading-failure.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { useDeliveriesAccess } from './deliveries-access.tsx'
import { DeliveryStateBadge, OutcomeText } from './delivery-badges.tsx'
import { EventText } from './delivery-list.tsx'
import { ResendDialog } from './resend-dialog.tsx'

/** One delivery with its attempts: what was sent, what came back, and what the signature covers. */
export function DeliveryWithAttempts({ id }: { readonly id: string }) {
  const { t } = useConsoleText()
  const { client, listHref, mayResend } = useDeliveriesAccess()
  const { data, error, refetch } = useQuery(deliveryQuery(client, id))
  const [asks, setAsks] = useState(false)
  return (
    <>
      <PageHead
        title={t('deliveries.one')}
        about={
          <ConsoleLink href={listHref} className="text-accent underline-offset-2 hover:underline">
            {t('deliveries.all')}
          </ConsoleLink>
        }
        actions={
          mayResend &&
          data !== undefined && (
            <Button variant="primary" onClick={() => setAsks(true)}>
              {t('deliveries.resend.act')}
            </Button>
          )
        }
      />
      {error !== null && <LoadingFailure error={error} retry={() => void refetch()} />}
      {data !== undefined && <Shown detail={data} />}
      {asks && data !== undefined && (
        <ResendDialog what={{ ids: [id], asOf: data.as_of }} onClose={() => setAsks(false)} />
      )}
    </>
  )
}

function Shown({ detail: { delivery, attempts, endpoint } }: { readonly detail: DeliveryDetail }) {
  const { t } = useConsoleText()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <Facts delivery={delivery} endpoint={endpoint} />
      <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <h2 className="text-l font-semibold">{t('deliveries.attempts')}</h2>
        <p className="text-s text-ink-2">{t('deliveries.kept')}</p>
        {attempts.length === 0 && <EmptyState title={t('deliveries.noAttempts')} />}
        {attempts.map((attempt, index) => (
          <Attempt key={attempt.id} attempt={attempt} number={attempts.length - index} open={index === 0} />
        ))}
      </section>
    </div>
  )
}

function Facts({ delivery, endpoint }: { readonly delivery: Delivery; readonly endpoint: string | null }) {
  const { t } = useConsoleText()
  const { pages, hrefOf } = useDeliveriesAccess()
  const { transaction_uuid: uuid, withdrawal_id: withdrawal, user_reference_id: user, waits_for: before } = delivery
  const facts: readonly (false | readonly [name: string, value: ReactNode])[] = [
    [t('deliveries.column.event'), <EventText key="event" delivery={delivery} />],
    [t('deliveries.column.state'), <DeliveryStateBadge key="state" {...delivery} />],
    [t('deliveries.column.created'), <TimeText key="created" iso={delivery.created_at} exactly />],
    delivery.next_at !== null && [t('deliveries.column.next'), <TimeText key="next" iso={delivery.next_at} future />],
    before !== null && [
      t('deliveries.behind'),
      <IdText key="before" id={before} name={t('deliveries.behind')} href={hrefOf(before)} />,
    ],
    uuid !== null && [
      t('deliveries.column.transaction'),
      <IdText
        key="uuid"
        id={uuid}
        name={t('deliveries.column.transaction')}
        {...(pages !== null && { href: pages.transaction(uuid) })}
      />,
    ],
    withdrawal !== null && [
      t('deliveries.withdrawal'),
      <IdText key="withdrawal" id={withdrawal} name={t('deliveries.withdrawal')} />,
    ],
    user !== null && [
      t('deliveries.column.user'),
      <IdText
        key="user"
        id={user}
        name={t('deliveries.column.user')}
        {...(pages !== null && { href: pages.user(user) })}
      />,
    ],
    [t('deliveries.cursor'), <IdText key="cursor" id={delivery.id} name={t('deliveries.cursor')} />],
    endpoint !== null && [
      t('deliveries.endpoint'),
      <code key="endpoint" translate="no" className="font-mono break-all">
        {endpoint}
      </code>,
    ],
  ]
  return (
    <dl className="grid gap-x-6 gap-y-2 rounded-card border border-line bg-surface p-4 text-s sm:grid-cols-[max-content_minmax(0,1fr)]">
      {facts.map(
        (fact) =>
          fact !== false && (
            <div key={fact[0]} className="grid sm:col-span-2 sm:grid-cols-subgrid">
              <dt className="text-ink-2">{fact[0]}</dt>
              <dd className="min-w-0">{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** @param props.number its place by time: the stored one begins anew when the delivery is sent again */
export function Attempt({
  attempt,
  number = attempt.attempt,
  open = false,
}: {
  readonly attempt: DeliveryAttempt
  readonly number?: number
  readonly open?: boolean
}) {
  const { t } = useConsoleText()
  const { webhook_id: id, webhook_timestamp: timestamp, signature, body, reply_head: head, reply_body: reply } = attempt
  const headers = `webhook-id: ${id}\nwebhook-timestamp: ${timestamp}\nwebhook-signature: ${signature}`
  return (
    <details open={open} className="rounded-card border border-line bg-surface">
      <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-3 px-4 py-2 text-s">
        <OutcomeText outcome={attempt.outcome} />
        <span>{t('deliveries.attempt', { count: number })}</span>
        <TimeText iso={attempt.began_at} />
        <span className="text-ink-2 tabular-nums">{t('deliveries.took', { count: attempt.milliseconds })}</span>
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line p-4">
        {attempt.error !== null && <p className="text-s text-bad">{attempt.error}</p>}
        <Part title={t('deliveries.request')} parts={[headers, legibleJson(body)]} />
        <p className="text-s text-ink-2">{t('deliveries.covers')}</p>
        {head === null ? (
          <p className="text-s text-ink-2">{t('deliveries.noReply')}</p>
        ) : (
          <Part
            title={t('deliveries.reply')}
            parts={[head, reply === null || reply === '' ? '' : legibleJson(reply)]}
          />
        )}
      </div>
    </details>
  )
}

function Part({ title, parts }: { readonly title: string; readonly parts: readonly string[] }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <h3 className="text-s font-semibold">{title}</h3>
      {parts.map(
        (part, index) =>
          part !== '' && (
            <pre
              key={index}
              translate="no"
              tabIndex={0}
              aria-label={title}
              role="group"
              className="max-h-80 overflow-auto rounded-small bg-sunken p-3 font-mono text-xs break-all whitespace-pre-wrap"
            >
              {part}
            </pre>
          ),
      )}
    </div>
  )
}
