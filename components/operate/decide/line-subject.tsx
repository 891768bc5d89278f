'use client'

import type { ReactNode } from 'react'
import type { LineTotals, PossibleOwner, QuarantineLineReply } from '#lib/contract/operate/decide.ts'
import type { StoryTransaction } from '#lib/contract/operate/story.ts'
import { useConsoleText } from '../context/texts.tsx'
import { StoryComparisons } from '../story/story-comparisons.tsx'
import { TransactionFacts } from '../story/transaction-facts.tsx'
import { AmountText } from '../ui/amount-text.tsx'
import { LinkedId } from '../ui/linked-id.tsx'
import { isMovementStatus, StatusBadge } from '../ui/status-badge.tsx'

/** What a line of the quarantine is about, as far as the cashier knows it: what was expected beside what came. */
export function LineSubject({ found: { subject, totals, owners } }: { readonly found: QuarantineLineReply }) {
  return (
    <>
      {totals !== null && <Totals totals={totals} />}
      {owners.length > 0 && <Owners owners={owners} />}
      {subject !== null && (
        <>
          <Subject subject={subject} />
          <StoryComparisons comparisons={subject.comparisons} />
        </>
      )}
    </>
  )
}

function Part({ id, title, children }: { readonly id: string; readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="rounded-card border border-line bg-surface px-4 py-3.5">
      <h2 id={id} className="font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}

const LINE = 'flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1'

function Subject({
  subject: { transactions, withdrawal_id: withdrawal },
}: {
  readonly subject: NonNullable<QuarantineLineReply['subject']>
}) {
  const { t } = useConsoleText()
  return (
    <Part id="subject" title={t('decide.subject')}>
      <ul className="mt-2 grid gap-2 text-s">
        {withdrawal !== null && (
          <li className={LINE}>
            {t('story.kind.withdrawal')} <WithdrawalLink id={withdrawal} />
          </li>
        )}
        {transactions.map((transaction) => (
          <Transaction key={`${transaction.kind ?? ''} ${transaction.transaction_uuid}`} transaction={transaction} />
        ))}
      </ul>
    </Part>
  )
}

function Transaction({ transaction }: { readonly transaction: StoryTransaction }) {
  const { t } = useConsoleText()
  const { transaction_uuid: uuid, kind, status, amount, currency_code: code, network } = transaction
  const name = t(`story.kind.${kind ?? 'unknown'}`)
  return (
    <li className={LINE}>
      {name} <LinkedId id={uuid} name={name} page="transactions" />
      {amount !== null && <AmountText amount={amount} code={code ?? undefined} network={network} />}
      {status !== null && isMovementStatus(status) && <StatusBadge status={status} />}
      <TransactionFacts transaction={transaction} />
    </li>
  )
}

function WithdrawalLink({ id }: { readonly id: string }) {
  const { t } = useConsoleText()
  return <LinkedId id={id} name={t('story.kind.withdrawal')} page="withdrawals" />
}

function Owners({ owners }: { readonly owners: readonly PossibleOwner[] }) {
  const { t } = useConsoleText()
  return (
    <Part id="owners" title={t('decide.mayBelongTo')}>
      <ul className="mt-2 grid gap-2 text-s">
        {owners.map(({ withdrawal: { id, amount, currency, network, status }, is_likely }) => (
          <li key={id} className={LINE}>
            <WithdrawalLink id={id} />
            <AmountText amount={amount} code={currency} network={network} />
            <StatusBadge status={status} />
            <span className="text-ink-2">{t(is_likely ? 'decide.likely' : 'decide.possible')}</span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Totals({ totals }: { readonly totals: LineTotals }) {
  const { t } = useConsoleText()
  const { currency_code: code, network, transactions } = totals
  return (
    <Part id="totals" title={t('decide.totals')}>
      <dl className="mt-2 grid gap-x-6 gap-y-1 text-s sm:grid-cols-[max-content_minmax(0,1fr)]">
        {(['ledger', 'gateway', 'difference'] as const).map((name) => (
          <div key={name} className="grid sm:col-span-2 sm:grid-cols-subgrid">
            <dt className="text-ink-2">{t(`decide.totals.${name}`)}</dt>
            <dd>
              <AmountText amount={totals[name]} code={code} network={network} />
            </dd>
          </div>
        ))}
      </dl>
      <ul className="mt-2 grid gap-1 text-s">
        {transactions.map(({ transaction_uuid: uuid, withdrawal_id: withdrawal }) => (
          <li key={`${uuid ?? ''} ${withdrawal ?? ''}`} className={LINE}>
            {uuid !== null ? (
              <LinkedId id={uuid} name={t('story.kind.unknown')} page="transactions" />
            ) : (
              withdrawal !== null && <WithdrawalLink id={withdrawal} />
            )}
          </li>
        ))}
      </ul>
    </Part>
  )
}
