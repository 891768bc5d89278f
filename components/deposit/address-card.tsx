'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter, useSearchParams } from 'next/navigation'
import { startTransition, useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { ensureAddressQuery } from '#lib/browser/queries.ts'
import type { Currency, DepositAddress } from '#lib/contract/cashier.ts'
import { useNavigation } from '../shell/navigation.tsx'
import { useBffClient } from '../shell/page-runtime.tsx'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { AddressText } from '../ui/address-text.tsx'
import { ProblemScreen, problemDetails, type ProblemDetails } from '../ui/problem-screen.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { WholeEnd } from '../ui/whole-end.tsx'
import { AddressActions } from './address-actions.tsx'
import { WalletLink } from './wallet-link.tsx'

/** The address that the server rendered the page with, and its QR code, or why it got none; `currencyId` is null where it did not know. */
export type RenderedAddress =
  | { readonly currencyId: string; readonly address: DepositAddress; readonly qr: ReactNode }
  | { readonly currencyId: string; readonly failure: ProblemDetails }
  | { readonly currencyId: null }

/** The user's deposit address of a currency; requested where the server had none. `coming`: the server still asks for it. */
export function AddressCard({
  currency,
  rendered,
}: {
  readonly currency: Currency
  readonly rendered: RenderedAddress | 'coming'
}) {
  const { t } = useTranslations()
  const { depositLinks } = useSession()
  const own = rendered !== 'coming' && rendered.currencyId === currency.id ? rendered : undefined
  const known = own && 'address' in own ? own : undefined
  const serverFailure = own && 'failure' in own ? own.failure : undefined
  const address = known?.address.address
  const query = useQuery({
    ...ensureAddressQuery(useBffClient(), currency.id),
    enabled: !own && rendered !== 'coming',
  })
  useRefreshWithAddress(currency.id, query.isSuccess && !known)
  const textRef = useRef<HTMLElement>(null)
  const qrRef = useRef<HTMLDivElement>(null)

  const failure = query.error ? problemDetails(query.error) : query.isSuccess ? undefined : serverFailure
  if (failure && !known) {
    return (
      <ProblemScreen
        details={aboutCurrency(failure)}
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
        className="aspect-square w-60 max-w-full rounded-small bg-white"
        data-testid="qr"
      >
        {known ? known.qr : <Skeleton className="size-full" />}
      </div>
      <div className="shown-whole grid min-h-14 w-full items-center justify-items-center">
        {address === undefined ? (
          <>
            <span className="sr-only">{t('deposit.making')}</span>
            <Skeleton className="h-10 w-4/5" />
          </>
        ) : (
          <AddressText ref={textRef} address={address} className="text-center" />
        )}
        <WholeEnd />
      </div>
      <AddressActions address={address} currency={currency} textRef={textRef} qrRef={known ? qrRef : null} />
      {depositLinks && <WalletLink currency={currency} />}
    </section>
  )
}

/** The user entered nothing that could be wrong: what the gateway refuses is the currency. */
const aboutCurrency = (failure: ProblemDetails): ProblemDetails =>
  failure.code === 'invalid_request' ? { ...failure, code: 'not_found' } : failure

/** The server renders the address and its QR code, so the page is rendered again once there is an address. */
function useRefreshWithAddress(currencyId: string, created: boolean): void {
  const router = useRouter()
  const { setQuery, nextCurrency } = useNavigation()
  const inUrl = useSearchParams().get('currency') === currencyId
  const renderAgain = useEffectEvent(() => {
    if (nextCurrency !== null && nextCurrency !== currencyId) return
    // Without a currency in the URL the server would choose by balances that may have changed.
    if (inUrl) startTransition(() => router.refresh())
    else setQuery({ currency: currencyId })
  })
  useEffect(() => {
    if (created) renderAgain()
  }, [created, currencyId])
}
