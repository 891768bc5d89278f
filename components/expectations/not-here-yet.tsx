'use client'

import type { ReactNode } from 'react'
import { useSession } from '../context/session.tsx'
import { AddressText } from '../ui/address-text.tsx'
import { ExplorerLink } from '../ui/explorer-link.tsx'
import { Fold } from '../ui/fold.tsx'
import { SupportLink } from '../ui/support-link.tsx'
import { useExpectation, useLaterTranslations, type CurrencyName } from './use-expectations.ts'
import { usualTimeText } from './usual-time.tsx'

const Steps = ({ children }: { readonly children: ReactNode }) => (
  <ol className="grid list-decimal grid-cols-[minmax(0,1fr)] gap-2 ps-5 text-s">{children}</ol>
)

/** What to check while a deposit that was sent is not here, and what to tell support. */
export default function DepositNotHere({ of, address }: { readonly of: CurrencyName; readonly address: string }) {
  const { id, supportUrl } = useSession()
  const later = useLaterTranslations()
  const time = useExpectation(of)?.deposit.time
  if (later === null) return null
  const { t } = later
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Steps>
        <li>
          <p>{t('here.depositNetwork', { network: of.network })}</p>
          <AddressText testId="help-address" address={address} />
        </li>
        <li>{t('here.depositExplorer')}</li>
        <li>
          <span>{time === undefined ? t('here.slow') : usualTimeText(time, later)}</span>{' '}
          {time !== undefined && <span>{t('here.slow')}</span>}
        </li>
        <li>{t('here.depositSupport')}</li>
      </Steps>
      <SupportLink supportUrl={supportUrl} reference={id} />
    </div>
  )
}

/** The same for a withdrawal that was sent. */
export function PayoutNotHere({
  of,
  address,
  explorer,
  reference,
}: {
  readonly of: CurrencyName
  readonly address: string
  /** The transaction's page; null without a hash. */
  readonly explorer: string | null
  readonly reference: string
}) {
  const { supportUrl } = useSession()
  const later = useLaterTranslations()
  const time = useExpectation(of)?.withdrawal.time
  if (later === null) return null
  return (
    <Fold title={later.t('here.payoutTitle')} testId="payout-help">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <Steps>
          <li>
            <p>{later.t('here.payoutNetwork', { network: of.network })}</p>
            <AddressText testId="help-address" address={address} />
          </li>
          {explorer !== null && (
            <li>
              <span>{later.t('here.payoutExplorer')}</span> <ExplorerLink href={explorer} label="details.explorer" />
            </li>
          )}
          <li>
            {time !== undefined && <span>{usualTimeText(time, later)} </span>}
            <span>{later.t('here.payoutExchange')}</span>
          </li>
          <li>{later.t('here.payoutSupport')}</li>
        </Steps>
        <SupportLink supportUrl={supportUrl} reference={reference} />
      </div>
    </Fold>
  )
}
