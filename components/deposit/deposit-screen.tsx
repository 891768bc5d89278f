'use client'

import type { ReactNode } from 'react'
import type { Currency } from '#lib/contract/cashier.ts'
import { WithCurrency } from '../shell/with-currency.tsx'
import { useTranslations } from '../context/translations.tsx'
import { Notice } from '../ui/tone.tsx'
import { AddressCard, type RenderedAddress } from './address-card.tsx'
import { LiveDeposits } from './live-deposits.tsx'

export function DepositScreen({ rendered, qr }: { readonly rendered: RenderedAddress | null; readonly qr: ReactNode }) {
  return (
    <WithCurrency flow="deposit">
      {(currency) => (
        <>
          <NetworkWarning currency={currency} />
          <AddressCard key={currency.id} currency={currency} rendered={rendered} qr={qr} />
          <Expectation />
          <LiveDeposits />
        </>
      )}
    </WithCurrency>
  )
}

function NetworkWarning({ currency: { currency_code: code, network } }: { readonly currency: Currency }) {
  const { rich } = useTranslations()
  return <Notice tone="wait">{rich('deposit.warning', { code, network })}</Notice>
}

function Expectation() {
  const { t } = useTranslations()
  return <p className="text-s text-ink-2">{t('deposit.expect')}</p>
}
