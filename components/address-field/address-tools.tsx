'use client'

import { useQuery } from '@tanstack/react-query'
import BookUser from 'lucide-react/icons/book-user'
import { Suspense, useState } from 'react'
import { addressListQuery } from '#lib/browser/address-list.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import { useBffClient } from '../context/page-runtime.tsx'
import { useTranslations } from '../context/translations.tsx'
import { Button } from '../ui/button.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'

const KnownAddressesDialog = lazyPart(() => import('./known-addresses-dialog.tsx'))

/** Offers the addresses of this network to which the user sent before. Shows nothing if there are none. */
export function KnownAddresses({
  currency,
  onChoose,
}: {
  readonly currency: Currency
  readonly onChoose: (address: string) => void
}) {
  const { t } = useTranslations()
  const { data } = useQuery(addressListQuery(useBffClient(), currency.id))
  // Once shown, the button stays: the dialog returns the focus to it.
  const [state, setState] = useState<'untouched' | 'open' | 'closed'>('untouched')
  const addresses = data?.addresses ?? []
  if (state === 'untouched' && addresses.length === 0) return null
  return (
    <>
      <Button
        variant="chip"
        aria-haspopup="dialog"
        data-testid="known-addresses"
        onPointerEnter={KnownAddressesDialog.preload}
        onFocus={KnownAddressesDialog.preload}
        onClick={() => setState('open')}
      >
        <BookUser aria-hidden size={16} className="shrink-0" />
        <span>{t('withdraw.known.open')}</span>
      </Button>
      {state !== 'untouched' && (
        <Suspense>
          <KnownAddressesDialog
            open={state === 'open'}
            addresses={addresses}
            onClose={() => setState('closed')}
            onChoose={(address) => {
              setState('closed')
              onChoose(address)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
