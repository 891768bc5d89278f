'use client'

import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type SubmitEvent } from 'react'
import type { Currency } from '#lib/contract/cashier.ts'
import { compare, decimal as asDecimal, isDecimal, isPositive } from '#lib/contract/money.ts'
import { readTypedAmount } from '#lib/i18n/typed-amount.ts'
import { useBalance } from '../context/use-balances.ts'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { AmountField } from '../ui/amount-field.tsx'
import { AMOUNT_FAULT_MESSAGES } from '../ui/amount-messages.ts'
import { Button } from '../ui/button.tsx'
import { useDestination } from '../address-field/use-destination.ts'
import { AddressField } from '../address-field/address-field.tsx'
import { focusField } from '../ui/focus.ts'
import { lazyCode, optionalPart } from '../ui/lazy-part.tsx'
import { useLateCode } from '../ui/use-late-code.ts'
import { NothingToWithdraw } from './nothing-to-withdraw.tsx'
import type { RejectedField } from './rejected-field.ts'

const loadTools = lazyCode(() => import('../address-field/address-tools.tsx'))

/** Loaded when the user begins to fill in the form. */
const AmountNotes = optionalPart(() => import('../expectations/amount-notes.tsx'))
const NOTES_ID = 'withdraw-amount-limits'

/** What the user has typed; kept while the user moves between form and review. */
export interface Draft {
  readonly amount: string
  readonly address: string
}

export interface WithdrawalDetails {
  /** Canonical decimal string. */
  readonly amount: string
  readonly address: string
}

/** Amount and destination. Only an amount with exactly one reading can be submitted. */
export function WithdrawForm({
  currency,
  draft,
  rejected,
  opening,
  onTouch,
  onChange,
  onReview,
}: {
  readonly currency: Currency
  readonly draft: Draft
  /** The part of the last request that was refused. */
  readonly rejected: RejectedField | null
  /** The review is being loaded. */
  readonly opening: boolean
  /** The user has begun to fill in the form. */
  readonly onTouch: () => void
  readonly onChange: (draft: Draft) => void
  readonly onReview: (details: WithdrawalDetails) => void
}) {
  const { t, decimal, marks } = useTranslations()
  const { showsBalances } = useSession()
  const balance = useBalance(currency)
  const [started, setStarted] = useState(draft.address !== '')
  const [submitted, setSubmitted] = useState(false)
  const [addressBlurred, setAddressBlurred] = useState(false)
  const amountRef = useRef<HTMLInputElement>(null)
  const addressRef = useRef<HTMLTextAreaElement>(null)
  const { currency_code: code } = currency
  const takeOver = useEffectEvent(() => {
    // What the user typed before hydration is only in the fields.
    const amount = amountRef.current?.value ?? ''
    const address = addressRef.current?.value ?? ''
    if (amount === draft.amount && address === draft.address) return
    setStarted(true)
    onTouch()
    onChange({ amount, address })
  })
  useLayoutEffect(() => takeOver(), [])
  useEffect(() => {
    if (rejected !== null) focusField((rejected === 'address' ? addressRef : amountRef).current)
  }, [rejected])

  const read = readTypedAmount(draft.amount, marks)
  const destination = useDestination(draft.address, currency, {
    started,
    submitted,
    blurred: addressBlurred,
    rejected: rejected === 'address',
  })
  const takeAmount = useEffectEvent((asked: string) => {
    if (draft.amount === '') onChange({ ...draft, amount: asked.replace('.', marks.decimal) })
  })
  useEffect(() => {
    if (destination.amount !== null) takeAmount(destination.amount)
  }, [destination.amount, draft.address])
  const tools = useLateCode(loadTools, started)
  const available = showsBalances ? balance?.available : undefined
  const hasNothing = available !== undefined && isDecimal(available) && !isPositive(asDecimal(available))

  const tooMuch =
    read.state === 'amount' &&
    available !== undefined &&
    isDecimal(available) &&
    compare(asDecimal(read.decimal), available) > 0

  const amountFault = (): string | null => {
    if (read.state === 'fault') return t(AMOUNT_FAULT_MESSAGES[read.fault])
    // The rejection is outdated once the balance is sufficient again.
    if (tooMuch || (rejected === 'insufficient' && available === undefined))
      return t('withdraw.insufficient', { amount: decimal(available ?? '0'), code })
    if (rejected === 'amount') return t('withdraw.amountRefused')
    return submitted && read.state === 'empty' ? t('amount.empty') : null
  }

  const review = (event: SubmitEvent): void => {
    event.preventDefault()
    setSubmitted(true)
    const amountReady = read.state === 'amount' && !tooMuch
    if (amountReady && destination.ready) onReview({ amount: read.decimal, address: destination.address.trim() })
    else focusField((amountReady ? addressRef : amountRef).current)
  }

  const typeAddress = (typed: string): void => {
    setAddressBlurred(false)
    onChange({ ...draft, address: typed })
  }

  const touch = (): void => {
    setStarted(true)
    onTouch()
  }

  return (
    <form
      onSubmit={review}
      onFocus={touch}
      // Safari does not focus a pressed button.
      onPointerDown={touch}
      noValidate
      className="grid grid-cols-[minmax(0,1fr)] gap-3"
      data-testid="withdraw-form"
    >
      {hasNothing && <NothingToWithdraw currency={currency} />}
      <AmountField
        id="withdraw-amount"
        label={t('withdraw.amount')}
        typed={draft.amount}
        read={read}
        fault={amountFault()}
        inputRef={amountRef}
        hint={available !== undefined && t('withdraw.available', { amount: decimal(available), code })}
        unit={
          <>
            <span className="text-s text-ink-2">{code}</span>
            {available !== undefined && !hasNothing && (
              <Button
                variant="chip"
                onClick={() => onChange({ ...draft, amount: available.replace('.', marks.decimal) })}
              >
                <span>{t('withdraw.max')}</span>
                <span className="sr-only">{`${decimal(available)} ${code}`}</span>
              </Button>
            )}
          </>
        }
        onType={(amount) => onChange({ ...draft, amount })}
        describedBy={NOTES_ID}
      />
      <AmountNotes soon={started} id={NOTES_ID} of={{ code, network: currency.network }} read={read} />
      <AddressField
        id="withdraw-address"
        label={t('withdraw.to')}
        destination={destination}
        inputRef={addressRef}
        tools={
          tools && (
            <>
              <tools.ScanButton onScan={typeAddress} />
              <tools.KnownAddressesButton currency={currency} onChoose={typeAddress} />
            </>
          )
        }
        onType={typeAddress}
        onBlur={() => setAddressBlurred(true)}
      />
      <Button type="submit" variant="primary" className="min-h-13" busy={opening}>
        {t('withdraw.review')}
      </Button>
    </form>
  )
}
