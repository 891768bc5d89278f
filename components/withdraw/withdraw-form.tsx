'use client'

import { useRef, useState, type SubmitEvent } from 'react'
import type { Currency } from '#lib/contract/cashier.ts'
import { compare, decimal as asDecimal, isDecimal } from '#lib/contract/money.ts'
import { readTypedAmount } from '#lib/i18n/typed-amount.ts'
import { useBalance } from '../shell/balances.ts'
import { useSession } from '../shell/session.tsx'
import { useWords } from '../shell/words.tsx'
import { AmountField } from '../ui/amount-field.tsx'
import { AMOUNT_FAULT_WORDS } from '../ui/amount-words.ts'
import { Button } from '../ui/button.tsx'
import { addressFaultWords, isFinal, useAddressCheck } from './address-check.ts'
import { AddressField } from './address-field.tsx'

/** What was typed so far, kept while the person goes back and forth. */
export interface Draft {
  readonly amount: string
  readonly address: string
}

/** What the server did not accept of the last try, by field. */
export type Refused = 'amount' | 'insufficient' | 'address' | null

export interface Order {
  /** Canonical decimal string. */
  readonly amount: string
  readonly address: string
}

/** Amount and destination. Nothing leaves this form that could not be read in exactly one way. */
export function WithdrawForm({
  currency,
  draft,
  refused,
  onChange,
  onReview,
}: {
  readonly currency: Currency
  readonly draft: Draft
  readonly refused: Refused
  readonly onChange: (draft: Draft) => void
  readonly onReview: (order: Order) => void
}) {
  const { t, decimal, marks } = useWords()
  const { showsBalances } = useSession()
  const balance = useBalance(currency)
  const [begun, setBegun] = useState(draft.address !== '')
  const runCheck = useAddressCheck(begun)
  const [asked, setAsked] = useState(false)
  const [left, setLeft] = useState(false)
  const amountRef = useRef<HTMLInputElement>(null)
  const addressRef = useRef<HTMLTextAreaElement>(null)
  const { currency_code: code, network } = currency

  const read = readTypedAmount(draft.amount, marks)
  const address = draft.address.trim()
  const check = address === '' ? null : (runCheck?.(network, address) ?? null)
  const available = showsBalances ? balance?.available : undefined

  const tooMuch =
    read.state === 'amount' &&
    available !== undefined &&
    isDecimal(available) &&
    compare(asDecimal(read.decimal), available) > 0

  const amountFault = (): string | null => {
    if (read.state === 'fault') return t(AMOUNT_FAULT_WORDS[read.fault])
    if (tooMuch || refused === 'insufficient')
      return t('withdraw.insufficient', { amount: decimal(available ?? '0'), code })
    if (refused === 'amount') return t('withdraw.amountRefused')
    return asked && read.state === 'empty' ? t('amount.empty') : null
  }
  const addressFault = (): string | null => {
    if (address === '') return asked ? t('withdraw.address.empty') : null
    if (check?.ok === false && (asked || left || isFinal(check))) {
      const { key, values } = addressFaultWords(check, network)
      return t(key, values)
    }
    return refused === 'address' ? t('withdraw.address.refused') : null
  }
  const faults = { amount: amountFault(), address: addressFault() }

  const review = (event: SubmitEvent): void => {
    event.preventDefault()
    setAsked(true)
    const amountReady = read.state === 'amount' && !tooMuch
    const addressReady = address !== '' && check?.ok !== false
    if (amountReady && addressReady) onReview({ amount: read.decimal, address })
    else (amountReady ? addressRef : amountRef).current?.focus()
  }

  return (
    <form
      onSubmit={review}
      onFocus={() => setBegun(true)}
      noValidate
      className="grid grid-cols-[minmax(0,1fr)] gap-3"
      data-testid="withdraw-form"
    >
      <AmountField
        id="withdraw-amount"
        label={t('withdraw.amount')}
        typed={draft.amount}
        read={read}
        fault={faults.amount}
        inputRef={amountRef}
        hint={showsBalances && available !== undefined && t('withdraw.available', { amount: decimal(available), code })}
        unit={
          <>
            <span className="text-s text-ink-2">{code}</span>
            {showsBalances && available !== undefined && (
              <Button look="chip" onClick={() => onChange({ ...draft, amount: available.replace('.', marks.decimal) })}>
                {t('withdraw.max')}
                <span className="sr-only">
                  {decimal(available)} {code}
                </span>
              </Button>
            )}
          </>
        }
        onType={(amount) => onChange({ ...draft, amount })}
      />
      <AddressField
        typed={draft.address}
        check={check}
        network={network}
        fault={faults.address}
        inputRef={addressRef}
        onType={(typed) => {
          setLeft(false)
          onChange({ ...draft, address: typed })
        }}
        onLeave={() => setLeft(true)}
      />
      <Button type="submit" look="primary" className="min-h-13">
        {t('withdraw.review')}
      </Button>
    </form>
  )
}
