'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter, useSearchParams } from 'next/navigation'
import { startTransition, useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { madeAddressQuery } from '#lib/browser/queries.ts'
import type { Currency, DepositAddress } from '#lib/contract/cashier.ts'
import { useNavigation } from '../shell/navigation.tsx'
import { useBffClient } from '../shell/page-runtime.tsx'
import { useWords } from '../shell/words.tsx'
import { AddressText } from '../ui/address-text.tsx'
import { Problem, problemFacts } from '../ui/problem.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { AddressActions } from './address-actions.tsx'

/** An address that the server knew when it drew the page, with its QR code beside it. */
export interface DrawnAddress {
  readonly currencyId: string
  readonly address: DepositAddress
}

/** The user's own address of a currency, asked for where it is not known yet. */
export function AddressCard({
  currency,
  drawn,
  qr,
}: {
  readonly currency: Currency
  readonly drawn: DrawnAddress | null
  readonly qr: ReactNode
}) {
  const { t } = useWords()
  const known = drawn?.currencyId === currency.id ? drawn.address : undefined
  const address = known?.address
  const query = useQuery({ ...madeAddressQuery(useBffClient(), currency.id), enabled: !known })
  useDrawnAddress(currency.id, query.isSuccess && !known)
  const shown = useRef<HTMLElement>(null)
  const paper = useRef<HTMLDivElement>(null)

  if (query.error && !known) {
    return (
      <Problem facts={problemFacts(query.error)} retrying={query.isFetching} onRetry={() => void query.refetch()} />
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
        ref={paper}
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
          <AddressText ref={shown} address={address} className="text-center" />
        )}
      </div>
      <AddressActions address={address} currency={currency} shown={shown} paper={known ? paper : null} />
    </section>
  )
}

/** An address is drawn on the server, with its QR code: once there is one, the page is drawn afresh. */
function useDrawnAddress(currencyId: string, missing: boolean): void {
  const router = useRouter()
  const { ask } = useNavigation()
  const named = useSearchParams().get('currency') === currencyId
  const draw = useEffectEvent(() => {
    // Without a name the server would choose by balances that may have moved.
    if (named) startTransition(() => router.refresh())
    else ask({ currency: currencyId })
  })
  useEffect(() => {
    if (missing) draw()
  }, [missing, currencyId])
}
