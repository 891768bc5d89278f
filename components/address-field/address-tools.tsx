'use client'

import { useQuery } from '@tanstack/react-query'
import BookUser from 'lucide-react/icons/book-user'
import ScanLine from 'lucide-react/icons/scan-line'
import { Suspense, useState } from 'react'
import { addressListQuery } from '#lib/browser/address-list.ts'
import { mayUseCamera } from '#lib/browser/may-use-camera.ts'
import type { PermittedOptions } from '#lib/browser/permitted.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import { useBffClient } from '../context/page-runtime.tsx'
import { useLaterTranslations } from '../expectations/use-expectations.ts'
import { Button } from '../ui/button.tsx'
import { useAnnounce } from '../ui/announcer.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'

const ScanDialog = lazyPart(() => import('./scan-dialog.tsx'))
const KnownAddressesDialog = lazyPart(() => import('./known-addresses-dialog.tsx'))

/** Offers the addresses of this network to which the user sent before. Shows nothing if there are none. */
export function KnownAddressesButton({
  currency,
  onChoose,
}: {
  readonly currency: Currency
  readonly onChoose: (address: string) => void
}) {
  const later = useLaterTranslations()
  const { data } = useQuery(addressListQuery(useBffClient(), currency.id))
  // Once shown, the button stays: the dialog returns the focus to it.
  const [state, setState] = useState<'untouched' | 'open' | 'closed'>('untouched')
  const addresses = data?.addresses ?? []
  if (later === null || (state === 'untouched' && addresses.length === 0)) return null
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
        <span>{later.t('withdraw.known.open')}</span>
      </Button>
      {state !== 'untouched' && (
        <Suspense>
          <KnownAddressesDialog
            later={later}
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

/** Reads a QR code with the camera. Shows nothing where the browser says before the press that it will refuse. */
export function ScanButton({ onScan }: { readonly onScan: (text: string) => void }) {
  const later = useLaterTranslations()
  const announce = useAnnounce()
  const [state, setState] = useState<'untouched' | 'open' | 'closed'>('untouched')
  if (later === null || !mayUseCamera({ document, navigator } as PermittedOptions)) return null
  return (
    <>
      <Button
        variant="chip"
        aria-haspopup="dialog"
        data-testid="scan"
        onPointerEnter={ScanDialog.preload}
        onFocus={ScanDialog.preload}
        onClick={() => setState('open')}
      >
        <ScanLine aria-hidden size={16} className="shrink-0" />
        <span>{later.t('withdraw.scan.open')}</span>
      </Button>
      {state !== 'untouched' && (
        <Suspense>
          <ScanDialog
            later={later}
            open={state === 'open'}
            onClose={() => setState('closed')}
            onScan={(text) => {
              setState('closed')
              announce(later.t('withdraw.scan.found'))
              onScan(text)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
