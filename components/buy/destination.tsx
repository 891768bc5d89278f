'use client'

import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { Currency } from '#lib/contract/cashier.ts'
import { AddressField } from '../address-field/address-field.tsx'
import { useDestination, type DestinationField } from '../address-field/use-destination.ts'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { useDraft } from '../shell/use-draft.tsx'
import { focusField } from '../ui/focus.ts'
import { lazyCode } from '../ui/lazy-part.tsx'
import { useLateCode } from '../ui/use-late-code.ts'
import { WholeEnd } from '../ui/whole-end.tsx'
import { BLANK_PURCHASE } from './buy-draft.ts'

const loadTools = lazyCode(() => import('../address-field/address-tools.tsx'))

export interface WalletChoice {
  readonly own: boolean
  readonly destination: DestinationField
  /** The purchase may be sent. */
  readonly ready: boolean
  readonly details: { readonly wallet_address?: string }
  readonly inputRef: RefObject<HTMLTextAreaElement | null>
  readonly takeFocus: () => void
  readonly setOwn: (own: boolean) => void
  readonly type: (text: string) => void
  readonly blur: () => void
}

/** Where the coins of a purchase go. @param rejected the server refused the address */
export function useWalletChoice(currency: Currency, submitted: boolean, rejected: boolean): WalletChoice {
  const [{ own, address: typed }, change] = useDraft(BLANK_PURCHASE)
  const [blurred, setBlurred] = useState(false)
  const inputRef = useRef<HTMLTextAreaElement>(null)
  const destination = useDestination(typed, currency, { started: own, submitted, blurred, rejected })
  return {
    own,
    destination,
    ready: !own || destination.ready,
    details: own ? { wallet_address: destination.address.trim() } : {},
    inputRef,
    takeFocus: () => focusField(inputRef.current),
    setOwn: useCallback((chosen) => change({ own: chosen }), [change]),
    type: (text) => {
      setBlurred(false)
      change({ address: text })
    },
    blur: () => setBlurred(true),
  }
}

/** The choice between the account and the user's own wallet, in sessions that allow both. */
export function PurchaseDestination({ choice: wallet }: { readonly choice: WalletChoice }) {
  const { t } = useTranslations()
  const { ownWallet } = useSession()
  const { own, setOwn, destination, inputRef, type, blur } = wallet
  const tools = useLateCode(loadTools, own)
  const ownRef = useRef<HTMLInputElement>(null)
  // What the user chose before hydration is only in the field.
  useLayoutEffect(() => setOwn(ownRef.current?.checked ?? false), [setOwn])
  if (!ownWallet) return null
  return (
    <>
      <fieldset className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
        <legend className="mb-1.5 text-s font-semibold">{t('buy.destination')}</legend>
        {[false, true].map((choice) => (
          <label
            key={String(choice)}
            className="shown-whole flex min-h-11 items-center gap-2.5 rounded-card border border-field bg-surface px-3.5 py-2"
          >
            <input
              ref={choice ? ownRef : null}
              type="radio"
              name="buy-destination"
              checked={own === choice}
              onChange={() => setOwn(choice)}
              className="accent-(--accent)"
            />
            <span className="min-w-0">{t(choice ? 'buy.toWallet' : 'buy.toAccount')}</span>
            <WholeEnd />
          </label>
        ))}
      </fieldset>
      {own && (
        <>
          <AddressField
            id="buy-address"
            label={t('buy.walletAddress')}
            destination={destination}
            tools={tools && <tools.ScanButton onScan={type} />}
            inputRef={inputRef}
            onType={type}
            onBlur={blur}
          />
          <p className="text-s text-ink-2">{t('buy.walletNote')}</p>
        </>
      )}
    </>
  )
}
