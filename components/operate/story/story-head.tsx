'use client'

import type { ReactNode } from 'react'
import { ExplorerLink } from '#components/ui/explorer-link.tsx'
import { Notice } from '#components/ui/tone.tsx'
import { explorerUrl } from '#lib/addresses/explorer.ts'
import type { Story } from '#lib/contract/operate/story.ts'
import { ConsoleLink } from '../context/address.tsx'
import { pageHref, recordHref } from '../context/page-links.ts'
import { useConsoleSettings } from '../context/settings.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { AmountText } from '../ui/amount-text.tsx'
import { IdText } from '../ui/id-text.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { StatusBadge } from '../ui/status-badge.tsx'
import { TransactionFacts } from './transaction-facts.tsx'

/** What it is about, by which ids it is known, and where else it is shown. */
export function StoryHead({ story, refresh }: { readonly story: Story; readonly refresh: ReactNode }) {
  const { t } = useConsoleText()
  const { kind, status, amount, currency_code, network, user_reference_id: user } = story
  const disputed = story.transactions.some(({ standing }) => standing === 'disputed')
  return (
    <header className="grid gap-4">
      <PageHead
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <span>
              {t(`story.kind.${kind}`)}
              {amount !== null && (
                <>
                  {' '}
                  <AmountText amount={amount} code={currency_code ?? undefined} network={network} />
                </>
              )}
            </span>
            {status !== null && <StatusBadge status={status} />}
          </span>
        }
        actions={
          <>
            <DeliveriesLink story={story} />
            {refresh}
          </>
        }
      />
      {disputed && (
        <Notice tone="bad">
          <p>{t('story.disputed')}</p>
        </Notice>
      )}
      {story.totals_differ && (
        <Notice tone="bad">
          <p>{t('story.totalsDiffer')}</p>
        </Notice>
      )}
      <dl className="grid gap-x-6 gap-y-1 rounded-card border border-line bg-surface px-4 py-3 text-s sm:grid-cols-[auto_minmax(0,1fr)]">
        {user !== null && (
          <Fact name={t('story.field.user')}>
            <IdText id={user} name={t('story.field.user')} href={recordHref('users', user)} />
          </Fact>
        )}
        {story.withdrawal_id !== null && (
          <Fact name={t('story.kind.withdrawal')}>
            <IdText
              id={story.withdrawal_id}
              name={t('story.kind.withdrawal')}
              href={recordHref('withdrawals', story.withdrawal_id)}
            />
          </Fact>
        )}
        {story.transactions.map((transaction) => {
          const { transaction_uuid: uuid, kind: own } = transaction
          const name = t(own === null ? 'story.kind.unknown' : `story.kind.${own}`)
          return (
            <Fact key={`${own ?? ''} ${uuid}`} name={name}>
              <IdText id={uuid} name={name} href={recordHref('transactions', uuid)} />
              <TransactionFacts transaction={transaction} />
            </Fact>
          )
        })}
        {story.session_id !== null && (
          <Fact name={t('story.field.session')}>
            <IdText id={story.session_id} name={t('story.field.session')} />
          </Fact>
        )}
        {story.tx_hash !== null && (
          <Fact name={t('story.field.hash')}>
            <IdText id={story.tx_hash} name={t('story.field.hash')} />
            <Explorer network={network} hash={story.tx_hash} />
          </Fact>
        )}
        {story.from_address !== null && (
          <Fact name={t('story.field.from_address')}>
            <IdText id={story.from_address} name={t('story.field.from_address')} />
          </Fact>
        )}
        {story.to_address !== null && (
          <Fact name={t('story.field.to_address')}>
            <IdText id={story.to_address} name={t('story.field.to_address')} />
          </Fact>
        )}
      </dl>
    </header>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="pt-1 text-ink-2">{name}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-2">{children}</dd>
    </>
  )
}

function Explorer({ network, hash }: { readonly network: string | null; readonly hash: string }) {
  const { explorer } = useConsoleSettings()
  const href = network === null ? null : explorerUrl(network, hash, explorer)
  return href !== null && <ExplorerLink href={href} label="details.explorer" className="text-s" />
}

/** The deliveries of the transaction that merchants know it by. */
function DeliveriesLink({ story }: { readonly story: Story }) {
  const { t } = useConsoleText()
  const id = story.withdrawal_id ?? story.transactions[0]?.transaction_uuid
  if (id === undefined || !story.entries.some((entry) => entry.kind === 'delivery')) return null
  return (
    <ConsoleLink
      href={`${pageHref('/deliveries')}?transaction=${encodeURIComponent(id)}`}
      className="inline-flex min-h-11 items-center px-2 text-s font-semibold text-accent underline-offset-2 hover:underline"
    >
      {t('story.deliveries')}
    </ConsoleLink>
  )
}
