'use client'

import type { ReactNode } from 'react'
import { STORY_STATUSES } from '#lib/contract/operate/story-entries.ts'
import type { UserView } from '#lib/contract/operate/users.ts'
import { useConsoleText } from '../context/texts.tsx'
import { AmountText } from '../ui/amount-text.tsx'
import { IdText } from '../ui/id-text.tsx'
import { LinkedId } from '../ui/linked-id.tsx'
import { StatusBadge } from '../ui/status-badge.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { AllLink } from './all-link.tsx'
import { Nothing, Panel } from './panel.tsx'

/** The user's newest transactions, withdrawals, payouts and purchases. */
export function UserMovements({ user }: { readonly user: UserView }) {
  const { t } = useConsoleText()
  const { user_reference_id: id, transactions, withdrawals, payouts, purchases } = user
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 xl:grid-cols-2">
      <Panel title={t('users.withdrawals')} actions={<AllLink list="withdrawals" user={id} />}>
        <Movements none={t('users.noWithdrawals')}>
          {withdrawals.map((row) => (
            <Movement key={row.id} movement={row}>
              <LinkedId id={row.id} name={t('story.kind.withdrawal')} page="withdrawals" />
            </Movement>
          ))}
        </Movements>
      </Panel>
      <Panel title={t('users.transactions')} actions={<AllLink list="transactions" user={id} />}>
        <Movements none={t('users.noTransactions')}>
          {transactions.map((row) => (
            <Movement key={`${row.kind} ${row.transaction_uuid}`} movement={row}>
              {t(`story.kind.${row.kind}`)}{' '}
              <LinkedId id={row.transaction_uuid} name={t('story.field.transaction')} page="transactions" />
            </Movement>
          ))}
        </Movements>
      </Panel>
      <Panel title={t('users.payouts')} actions={<AllLink list="payouts" user={id} />}>
        <Movements none={t('users.noPayouts')}>
          {payouts.map((row) => (
            <Movement key={row.transaction_uuid} movement={row}>
              <LinkedId id={row.transaction_uuid} name={t('story.kind.payout')} page="transactions" />
              {row.owner === null && <span className="ms-1 font-semibold text-bad">{t('users.ownerless')}</span>}
            </Movement>
          ))}
        </Movements>
      </Panel>
      <Panel title={t('users.purchases')}>
        <Movements none={t('users.noPurchases')}>
          {purchases.map((row) => (
            <Movement key={row.id} movement={{ ...row, currency_code: row.fiat_currency, network: null }}>
              {row.transaction_uuid === null ? (
                <IdText id={row.id} name={t('story.field.session')} short />
              ) : (
                <LinkedId id={row.transaction_uuid} name={t('story.kind.onramp')} page="transactions" />
              )}
            </Movement>
          ))}
        </Movements>
      </Panel>
    </div>
  )
}

function Movements({ none, children }: { readonly none: string; readonly children: readonly ReactNode[] }) {
  if (children.length === 0) return <Nothing>{none}</Nothing>
  return <ul className="grid grid-cols-[minmax(0,1fr)] gap-2.5">{children}</ul>
}

function Movement({
  movement: { status, amount, currency_code, network, at },
  children,
}: {
  readonly movement: Pick<UserView['transactions'][number], 'status' | 'amount' | 'currency_code' | 'at'> & {
    /** Null of a fiat currency. */
    readonly network: string | null
  }
  readonly children: ReactNode
}) {
  const known = STORY_STATUSES.find((one) => one === status)
  return (
    <li
      data-row
      className="grid grid-cols-[minmax(min-content,1fr)_minmax(0,auto)] items-center gap-x-3 border-t border-line pt-2.5 first:border-t-0 first:pt-0"
    >
      <span className="min-w-0">{children}</span>
      <span className="text-end font-semibold">
        {amount !== null && <AmountText amount={amount} code={currency_code} network={network} />}
      </span>
      <span className="text-ink-2">
        <TimeText iso={at} />
      </span>
      <span className="text-end">{known === undefined ? status : <StatusBadge status={known} />}</span>
    </li>
  )
}
