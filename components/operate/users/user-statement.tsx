'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, buttonClass } from '#components/ui/button.tsx'
import { statementFileHref, userStatementQuery } from '#lib/browser/operate/users.ts'
import type { StatementEntry } from '#lib/contract/operate/users.ts'
import { useConsoleClient } from '../context/client.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { AmountText } from '../ui/amount-text.tsx'
import { LinkedId } from '../ui/linked-id.tsx'
import { LoadingFailure } from '../ui/loading-failure.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { useCodeText } from '../ui/use-code-text.ts'
import { Nothing, Panel } from './panel.tsx'

/** Each entry of the user's accounts with the balance after it, newest first; read when somebody asks for it. */
export function UserStatement({ user }: { readonly user: string }) {
  const { t } = useConsoleText()
  const [isShown, setShown] = useState(false)
  return (
    <Panel
      title={t('users.statement')}
      actions={
        <a href={statementFileHref(user)} download className={buttonClass('chip')}>
          {t('users.statementFile')}
        </a>
      }
    >
      {isShown ? (
        <Entries user={user} />
      ) : (
        <Button variant="chip" onClick={() => setShown(true)}>
          {t('users.showStatement')}
        </Button>
      )}
    </Panel>
  )
}

function Entries({ user }: { readonly user: string }) {
  const { t } = useConsoleText()
  const statement = useInfiniteQuery(userStatementQuery(useConsoleClient(), user))
  if (statement.data === undefined)
    return statement.isPending ? (
      <p role="status" className="text-ink-2">
        {t('console.loading')}
      </p>
    ) : (
      <LoadingFailure error={statement.error} retry={() => void statement.refetch()} />
    )
  const entries = statement.data.pages.flatMap((page) => page.entries)
  if (entries.length === 0) return <Nothing>{t('users.noEntries')}</Nothing>
  return (
    <>
      <div role="group" aria-label={t('users.statement')} tabIndex={0} className="overflow-x-auto">
        <table className="w-full min-w-150 border-collapse">
          <thead className="text-start text-xs text-ink-2">
            <tr>
              <Head text={t('users.entryAt')} />
              <Head text={t('users.entryWhat')} />
              <Head text={t('users.entryAccount')} />
              <Head text={t('users.entryAmount')} end />
              <Head text={t('users.entryBalance')} end />
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </tbody>
        </table>
      </div>
      {statement.hasNextPage && (
        <Button
          variant="chip"
          className="mt-3"
          busy={statement.isFetchingNextPage}
          onClick={() => void statement.fetchNextPage()}
        >
          {t('users.olderEntries')}
        </Button>
      )}
    </>
  )
}

function Head({ text, end = false }: { readonly text: string; readonly end?: boolean }) {
  return (
    <th scope="col" className={`py-1.5 pe-3 font-medium ${end ? 'text-end' : 'text-start'}`}>
      {text}
    </th>
  )
}

function Entry({ entry }: { readonly entry: StatementEntry }) {
  const { t } = useConsoleText()
  const { bookingText } = useCodeText()
  const { at, account, amount, balance, currency_code, reason, transaction_uuid, withdrawal_id, reference } = entry
  return (
    <tr data-row className="border-t border-line align-top">
      <td className="py-1.5 pe-3 whitespace-nowrap">
        <TimeText iso={at} />
      </td>
      <td className="py-1.5 pe-3">
        <span className="me-1">{bookingText(reason)}</span>
        {reference !== null && (
          <code translate="no" className="font-mono break-all">
            {reference}
          </code>
        )}
        {withdrawal_id !== null ? (
          <LinkedId id={withdrawal_id} name={t('story.kind.withdrawal')} page="withdrawals" />
        ) : (
          transaction_uuid !== null && (
            <LinkedId id={transaction_uuid} name={t('story.field.transaction')} page="transactions" />
          )
        )}
      </td>
      <td className="py-1.5 pe-3">{t(`story.account.${account}`)}</td>
      <td className="py-1.5 pe-3 text-end whitespace-nowrap">
        <AmountText amount={amount} code={currency_code} />
      </td>
      <td className="py-1.5 pe-3 text-end whitespace-nowrap">
        <AmountText amount={balance} code={currency_code} />
      </td>
    </tr>
  )
}
