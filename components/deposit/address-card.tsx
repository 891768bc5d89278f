'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter, useSearchParams } from 'next/navigation'
import { startTransition, useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { ensureAddressQuery } from '#lib/browser/queries.ts'
import type { Currency, DepositAddress } from '#lib/contract/cashier.ts'
import { useNavigation } from '../shell/navigation.tsx'
import { useBffClient } from '../shell/page-runtime.tsx'
import { useTranslations } from '../context/translations.tsx'
import { AddressText } from '../ui/address-text.tsx'
import { ProblemScreen, problemDetails } from '../ui/problem-screen.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { AddressActions } from './address-actions.tsx'

/** The address that the server rendered the page with; its QR code comes as `qr`. */
export interface RenderedAddress {
  readonly currencyId: string
  readonly address: DepositAddress
}

/** The user's deposit address of a currency; requested where there is none yet. */
export function AddressCard({
  currency,
  rendered,
  qr,
}: {
  readonly currency: Currency
  readonly rendered: RenderedAddress | null
  readonly qr: ReactNode
}) {
  const { t } = useTranslations()
  const known = rendered?.currencyId === currency.id ? rendered.address : undefined
  const address = known?.address
  const query = useQuery({ ...ensureAddressQuery(useBffClient(), currency.id), enabled: !known })
  useRefreshWithAddress(currency.id, query.isSuccess && !known)
  const textRef = useRef<HTMLElement>(null)
  const qrRef = useRef<HTMLDivElement>(null)

  if (query.error && !known) {
    return (
      <ProblemScreen
        details={problemDetails(query.error)}
        retrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    )
  }
  const { currency_code: code, network } = currency
  return (
    <section
      aria-label={t('deposit.address', { code, network })}
      aria-busy={address === undefined}
      className="grid grid-cols-[minmax(0,1fr)] justify-items-center gap-2 rounded-card border border-line p-4"
    >
      <div
        ref={qrRef}
        role="img"
        aria-label={t('deposit.qr')}
        className="size-60 rounded-small bg-white"
        data-testid="qr"
      >
        {known ? qr : <Skeleton className="size-full" />}
      </div>
      <div className="grid min-h-14 w-full items-center justify-items-center">
        {address === undefined ? (
          <>
            <span className="sr-only">{t('deposit.making')}</span>
            <Skeleton className="h-10 w-4/5" />
          </>
        ) : (
          <AddressText ref={textRef} address={address} className="text-center" />
        )}
      </div>
      <AddressActions address={address} currency={currency} textRef={textRef} qrRef={known ? qrRef : null} />
    </section>
  )
}

/** The server renders the address and its QR code, so the page is rendered again once there is an address. */
function useRefreshWithAddress(currencyId: string, created: boolean): void {
  const router = useRouter()
  const { setQuery } = useNavigation()
  const inUrl = useSearchParams().get('currency') === currencyId
  const renderAgain = useEffectEvent(() => {
    // Without a currency in the URL the server would choose by balances that may have changed.
    if (inUrl) startTransition(() => router.refresh())
    else setQuery({ currency: currencyId })
  })
  useEffect(() => {
    if (created) renderAgain()
  }, [created, currencyId])
}
