'use client'

import { explorerUrl } from '#lib/addresses/explorer.ts'
import { ON_THE_WAY, type SessionDeposit } from '#lib/browser/session-deposits.ts'
import { STATUS_DISPLAY } from '#lib/browser/status-display.ts'
import type { CashierStatus } from '#lib/contract/cashier.ts'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { WaitingTime } from '../expectations/usual-time.tsx'
import { Amount } from '../ui/amount.tsx'
import { ExactValue } from '../ui/exact-value.tsx'
import { ExplorerLink } from '../ui/explorer-link.tsx'
import { Time } from '../ui/time.tsx'
import { Pill } from '../ui/tone.tsx'
import { WholeEnd } from '../ui/whole-end.tsx'

/** How many of the three steps are reached; null for a status outside these steps. */
const STEPS_DONE: Readonly<Record<CashierStatus, 1 | 2 | 3 | null>> = {
  pending: 1,
  processing: 2,
  awaiting_approval: null,
  unknown: null,
  succeeded: 3,
  failed: null,
  other: null,
}

/** One deposit, from its detection to the credit. */
export default function DepositCard({ deposit }: { readonly deposit: SessionDeposit }) {
  const { t } = useTranslations()
  const { explorer: template, showsValues } = useSession()
  const display = STATUS_DISPLAY.deposit[deposit.status]
  const stepsDone = STEPS_DONE[deposit.status]
  const explorer = deposit.txHash === null ? null : explorerUrl(deposit.network, deposit.txHash, template)
  return (
    <li
      className="shown-whole @container grid min-h-deposit grid-cols-[minmax(0,1fr)] gap-2.5 rounded-card border border-line p-3.5"
      data-testid="deposit"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <b className="min-w-0 font-semibold">
          <Amount value={deposit.amount} code={deposit.code} sign="+" short />
        </b>
        <Pill tone={display.tone}>{t(display.label)}</Pill>
      </div>
      {stepsDone !== null && (
        <Steps
          label={t('deposit.steps')}
          names={[t('status.detected'), t('status.confirming'), t('status.credited')]}
          done={stepsDone}
        />
      )}
      {ON_THE_WAY.has(deposit.status) && (
        <WaitingTime kind="deposit" of={deposit} since={deposit.at} reference={deposit.txHash ?? deposit.reference} />
      )}
      <div className="flex flex-wrap items-baseline justify-between gap-2 text-s text-ink-2">
        <span className="min-w-0">
          <Time iso={deposit.at} style="time" />
          <span translate="no">
            {' · '}
            <bdi>{deposit.network}</bdi>
          </span>
          {showsValues && deposit.usd !== null && <ExactValue usd={deposit.usd} />}
        </span>
        {explorer !== null && <ExplorerLink href={explorer} label="deposit.explorer" className="-my-2.5" />}
      </div>
      <WholeEnd />
    </li>
  )
}

/** Progress in named steps; `done` of them are reached. A narrow card shows only the name of the last reached step. */
function Steps({
  label,
  names,
  done,
}: {
  readonly label: string
  readonly names: readonly string[]
  readonly done: number
}) {
  return (
    <div className="@container text-xs text-ink-2">
      <ol
        aria-label={label}
        className="grid grid-cols-3 gap-1.5 @min-[18rem]:grid-cols-[repeat(3,minmax(min-content,1fr))]"
      >
        {names.map((name, index) => (
          <li key={name} aria-current={index === done - 1 ? 'step' : undefined}>
            <span
              aria-hidden
              className={`block h-1 rounded-full forced-color-adjust-none ${index < done ? 'bg-accent' : 'bg-line'}`}
            />
            <span className={`mt-1 block @max-[18rem]:sr-only ${index < done ? 'text-ink' : ''}`}>{name}</span>
          </li>
        ))}
      </ol>
      <p aria-hidden className="mt-1 text-ink @min-[18rem]:hidden">
        {names[done - 1]}
      </p>
    </div>
  )
}
