'use client'

import { Suspense, use } from 'react'
import { currencyMeaning } from '#lib/browser/queries.ts'
import { isSameKnownNetwork } from '#lib/addresses/networks.ts'
import { settingOf } from '#lib/addresses/setting-of.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import { WithCurrency } from '../currency-picker/with-currency.tsx'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { ProblemScreen } from '../ui/problem-screen.tsx'
import { Notice } from '../ui/tone.tsx'
import { AddressCard, type RenderedAddress } from './address-card.tsx'
import { ArrivalsBar } from './arrivals-bar.tsx'
import { LiveDeposits } from './live-deposits.tsx'

/** `address`: what the server rendered, or a promise if it is still loading the address for the same response. */
export function DepositScreen({
  address = NOT_RENDERED,
}: {
  readonly address?: RenderedAddress | Promise<RenderedAddress>
}) {
  return (
    <WithCurrency flow="deposit">
      {(currency, offered) => (
        <>
          <ArrivalsBar currency={currency} />
          {offered ? (
            <Address currency={currency} address={address} />
          ) : (
            <div role="alert">
              <ProblemScreen details={GONE} />
            </div>
          )}
          <LiveDeposits />
        </>
      )}
    </WithCurrency>
  )
}

/** For a screen that only the browser renders. */
const NOT_RENDERED: RenderedAddress = { meaning: null }

/** The currency on the screen was removed from the list. */
const GONE = { code: 'not_found', requestId: null } as const

function Address({
  currency,
  address,
}: {
  readonly currency: Currency
  readonly address: RenderedAddress | Promise<RenderedAddress>
}) {
  const key = currencyMeaning(currency)
  return (
    <>
      <NetworkWarning currency={currency} />
      {'then' in address ? (
        <Suspense fallback={<AddressCard currency={currency} rendered="coming" />}>
          <ComingAddress key={key} currency={currency} address={address} />
        </Suspense>
      ) : (
        <AddressCard key={key} currency={currency} rendered={address} />
      )}
      <Expectation />
    </>
  )
}

function ComingAddress({
  currency,
  address,
}: {
  readonly currency: Currency
  readonly address: Promise<RenderedAddress>
}) {
  return <AddressCard currency={currency} rendered={use(address)} />
}

function NetworkWarning({ currency }: { readonly currency: Currency }) {
  const { rich, decimal } = useTranslations()
  const { depositMinimums } = useSession()
  const { currency_code: code, network } = currency
  const minimum = settingOf(new Map(Object.entries(depositMinimums)), currency, isSameKnownNetwork)
  return (
    <Notice tone="wait">
      <p>{rich('deposit.warning', { code, network })}</p>
      {minimum !== undefined && (
        <p className="mt-1" data-testid="deposit-minimum">
          {rich('deposit.minimum', { amount: decimal(minimum), code })}
        </p>
      )}
    </Notice>
  )
}

function Expectation() {
  const { t } = useTranslations()
  return <p className="text-s text-ink-2">{t('deposit.expect')}</p>
}
