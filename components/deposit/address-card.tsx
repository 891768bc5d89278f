'use client'

import { useQuery } from '@tanstack/react-query'
import { Suspense, useRef, useState, type ReactNode } from 'react'
import { currencyMeaning, depositAddressQuery } from '#lib/browser/queries.ts'
import type { Currency, DepositAddress } from '#lib/contract/cashier.ts'
import { useBffClient } from '../context/page-runtime.tsx'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { Fold } from '../ui/fold.tsx'
import { AddressText } from '../ui/address-text.tsx'
import { lazyPart, optionalPart } from '../ui/lazy-part.tsx'
import { ProblemScreen, problemDetails, type ProblemDetails } from '../ui/problem-screen.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { WholeEnd } from '../ui/whole-end.tsx'
import { AddressActions } from './address-actions.tsx'
import { DepositTag } from './deposit-tag.tsx'
import { WalletLink } from './wallet-link.tsx'

/**
 * The address, its QR code and its link for wallets, as the server rendered them, or why it has none. `meaning` is the
 * `currencyMeaning` of its currency; null if it knew none.
 */
export type RenderedAddress =
  | {
      readonly meaning: string
      readonly address: DepositAddress
      readonly qr: ReactNode
      readonly uri: string | null
    }
  | { readonly meaning: string; readonly failure: ProblemDetails }
  | { readonly meaning: null }

/** Loaded when the panel is opened, or when the page has nothing else to load. */
const NotHere = optionalPart(() => import('../expectations/not-here-yet.tsx'))

/** The server renders the first QR code; the script that renders others is loaded on demand. */
const LateQr = lazyPart(() => import('./late-qr.tsx'))

/**
 * The user's deposit address for a currency; requested if the server had none. `coming`: the server is still loading
 * it.
 */
export function AddressCard({
  currency,
  rendered,
}: {
  readonly currency: Currency
  readonly rendered: RenderedAddress | 'coming'
}) {
  const { t } = useTranslations()
  const { depositLinks } = useSession()
  const client = useBffClient()
  const own = rendered !== 'coming' && rendered.meaning === currencyMeaning(currency) ? rendered : undefined
  const known = own && 'address' in own ? own : undefined
  const serverFailure = own && 'failure' in own ? own.failure : undefined
  const query = useQuery({
    ...depositAddressQuery(client, currency),
    enabled: !own && rendered !== 'coming',
    ...(known && { initialData: known.address }),
  })
  const deposit = query.data
  const address = deposit?.address
  const textRef = useRef<HTMLElement>(null)
  const qrRef = useRef<HTMLDivElement>(null)
  const [uri, setUri] = useState(known?.uri ?? null)

  const failure = query.error ? problemDetails(query.error) : serverFailure
  if (failure && address === undefined) {
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
        {known ? (
          known.qr
        ) : deposit === undefined ? (
          <Skeleton className="size-full" />
        ) : (
          <Suspense fallback={<Skeleton className="size-full" />}>
            <LateQr currency={currency} address={deposit} onUri={setUri} />
          </Suspense>
        )}
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
      {deposit && <DepositTag deposit={deposit} network={network} />}
      <AddressActions
        deposit={deposit}
        currency={currency}
        uri={uri}
        textRef={textRef}
        qrRef={address === undefined ? null : qrRef}
      />
      {depositLinks && <WalletLink currency={currency} />}
      <div className="w-full">
        <Fold title={t('deposit.notHere')} testId="deposit-help">
          {address !== undefined && <NotHere soon of={{ code, network }} address={address} />}
        </Fold>
      </div>
    </section>
  )
}

/** The user entered nothing that could be wrong, so the gateway refused the currency. */
const aboutCurrency = (failure: ProblemDetails): ProblemDetails =>
  failure.code === 'invalid_request' ? { ...failure, code: 'not_found' } : failure
