'use client'

import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { AddressCheck } from '#lib/addresses/index.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import { AddressField } from '../address-field/address-field.tsx'
import { addressFaultMessage, isFinalFault } from '../address-field/address-messages.ts'
import { useAddressCheck } from '../address-field/use-address-check.ts'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { WholeEnd } from '../ui/whole-end.tsx'

export interface DestinationState {
  readonly own: boolean
  readonly typed: string
  readonly check: AddressCheck | null
  readonly fault: string | null
  /** The purchase may be sent. */
  readonly ready: boolean
  readonly details: { readonly wallet_address?: string }
  readonly inputRef: RefObject<HTMLTextAreaElement | null>
  readonly focus: () => void
  readonly setOwn: (own: boolean) => void
  readonly type: (text: string) => void
  readonly blur: () => void
}

/** Where the coins of a purchase go. @param rejected the server refused the address */
export function useDestination(
  { network }: Pick<Currency, 'network'>,
  submitted: boolean,
  rejected: boolean,
): DestinationState {
  const { t } = useTranslations()
  const [own, setOwn] = useState(false)
  const [typed, setTyped] = useState('')
  const [blurred, setBlurred] = useState(false)
  const runCheck = useAddressCheck(own)
  const inputRef = useRef<HTMLTextAreaElement>(null)
  const address = typed.trim()
  const check = address === '' ? null : (runCheck?.(network, address) ?? null)

  const fault = (): string | null => {
    if (!own) return null
    if (address === '') return submitted ? t('withdraw.address.empty') : null
    if (check?.ok === false && (submitted || blurred || isFinalFault(check))) {
      const { key, values } = addressFaultMessage(check, network)
      return t(key, values)
    }
    return rejected ? t('withdraw.address.refused') : null
  }
  return {
    own,
    typed,
    check,
    fault: fault(),
    ready: !own || (address !== '' && check?.ok !== false),
    details: own ? { wallet_address: address } : {},
    inputRef,
    focus: () => inputRef.current?.focus(),
    setOwn,
    type: (text) => {
      setBlurred(false)
      setTyped(text)
    },
    blur: () => setBlurred(true),
  }
}

/** The choice between the account and a wallet of the user's own, in sessions that have it. */
export function Destination({
  network,
  destination,
}: {
  readonly network: string
  readonly destination: DestinationState
}) {
  const { t } = useTranslations()
  const { ownWallet } = useSession()
  const { own, setOwn, typed, check, fault, inputRef, type, blur } = destination
  const ownRef = useRef<HTMLInputElement>(null)
  // What was chosen before hydration is in the field and nowhere else.
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
            typed={typed}
            check={check}
            network={network}
            fault={fault}
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
