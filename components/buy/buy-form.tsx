'use client'

import CreditCard from 'lucide-react/icons/credit-card'
import { useEffectEvent, useLayoutEffect, useMemo, useRef, useState, type SubmitEvent } from 'react'
import type { RequestFailure } from '#lib/browser/request-failure.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import { fiatDigits, hasTooManyDigits } from '#lib/i18n/fiat-digits.ts'
import {
  countryNames,
  countryOfLanguage,
  FIAT_CURRENCIES,
  fiatCurrencyOf,
  type CountryName,
} from '#lib/i18n/region-names.ts'
import { readTypedAmount } from '#lib/i18n/typed-amount.ts'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { useDraft } from '../shell/use-draft.tsx'
import { AmountField } from '../ui/amount-field.tsx'
import { AMOUNT_FAULT_MESSAGES } from '../ui/amount-messages.ts'
import { Button } from '../ui/button.tsx'
import { Field, fieldInput } from '../ui/field.tsx'
import { focusField } from '../ui/focus.ts'
import { useHydrated } from '../ui/hydrated.ts'
import { WholeEnd } from '../ui/whole-end.tsx'
import { BLANK_PURCHASE } from './buy-draft.ts'
import { BuyFailure } from './buy-failure.tsx'
import { PurchaseDestination, useWalletChoice } from './destination.tsx'

export interface PurchaseDetails {
  /** Canonical decimal string. */
  readonly amount: string
  readonly fiat_currency: string
  readonly country: string
  /** An address of the user's own wallet; left out if the coins go to the account. */
  readonly wallet_address?: string
}

/** The price, its currency, the buyer's country, and where the coins go. */
export function BuyForm({
  currency,
  sending,
  failure,
  onChange,
  onSubmit,
}: {
  readonly currency: Currency
  readonly sending: boolean
  readonly failure: RequestFailure | null
  /** The user changed a field. */
  readonly onChange: () => void
  readonly onSubmit: (details: PurchaseDetails) => void
}) {
  const { t, locale, marks } = useTranslations()
  const { country: locked } = useSession()
  const hydrated = useHydrated()
  const [submitted, setSubmitted] = useState(false)
  const [{ amount: typed, country: chosenCountry, fiat: chosenFiat }, change] = useDraft(BLANK_PURCHASE)
  const amountRef = useRef<HTMLInputElement>(null)
  const fiatRef = useRef<HTMLSelectElement>(null)
  const countryRef = useRef<HTMLSelectElement>(null)
  const rejected = failure?.details.errors
  const destination = useWalletChoice(currency, submitted, rejected?.['wallet_address'] !== undefined)

  const countries = useMemo(() => countryNames(locale), [locale])
  const country = locked ?? chosenCountry ?? (hydrated ? countryOfLanguage(navigator.language) : '')
  const fiat = chosenFiat ?? fiatCurrencyOf(country)
  const takeOver = useEffectEvent(() => {
    // What the user typed or chose before hydration is only in the fields.
    change({ amount: amountRef.current?.value ?? '' })
    if (fiatRef.current && fiatRef.current.value !== fiat) change({ fiat: fiatRef.current.value })
  })
  useLayoutEffect(() => takeOver(), [])
  const read = readTypedAmount(typed, marks)
  const tooFine = read.state === 'amount' && hasTooManyDigits(read.decimal, fiat)

  const amountFault = (): string | null => {
    if (read.state === 'fault') return t(AMOUNT_FAULT_MESSAGES[read.fault])
    if (tooFine) {
      const digits = fiatDigits(fiat)
      return digits === 0 ? t('buy.whole', { fiat }) : t('buy.fraction', { fiat, digits })
    }
    if (rejected?.['fiat_currency']) return t('buy.fiatRefused', { fiat })
    if (rejected?.['amount']) return t('buy.amountRefused')
    return submitted && read.state === 'empty' ? t('amount.empty') : null
  }
  const countryFault = (): string | null => {
    if (rejected?.['country']) return t('buy.countryRefused')
    return submitted && country === '' ? t('buy.countryEmpty') : null
  }

  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    setSubmitted(true)
    if (read.state !== 'amount' || tooFine) focusField(amountRef.current)
    else if (country === '') focusField(countryRef.current)
    else if (!destination.ready) destination.takeFocus()
    else onSubmit({ amount: read.decimal, fiat_currency: fiat, country, ...destination.details })
  }

  return (
    <form
      onSubmit={submit}
      onChange={onChange}
      noValidate
      className="grid grid-cols-[minmax(0,1fr)] gap-3"
      data-testid="buy-form"
    >
      <AmountField
        id="buy-amount"
        label={t('buy.pay')}
        typed={typed}
        read={read}
        fault={amountFault()}
        inputRef={amountRef}
        unit={
          <select
            ref={fiatRef}
            aria-label={t('buy.fiat')}
            value={fiat}
            onChange={(event) => change({ fiat: event.target.value })}
            className="min-h-11 w-[5.25rem] rounded-small bg-accent-soft px-2 font-semibold text-accent"
          >
            {FIAT_CURRENCIES.map((code) => (
              <option key={code} value={code}>
                {code}
              </option>
            ))}
          </select>
        }
        onType={(amount) => change({ amount })}
      />
      <Field id="buy-country" label={t('buy.country')} fault={countryFault()} hint={t('buy.countryNote')}>
        <select
          id="buy-country"
          ref={countryRef}
          value={country}
          disabled={locked !== null}
          onChange={(event) => change({ country: event.target.value })}
          aria-describedby="buy-country-note"
          aria-invalid={countryFault() !== null}
          className={`${fieldInput} -mx-1`}
        >
          <option value="" disabled>
            {t('buy.countryChoose')}
          </option>
          {/* Server and browser may sort and name countries differently, so only the browser renders the list. */}
          {(hydrated ? countries : onlyLocked(countries, locked)).map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <PurchaseDestination choice={destination} />
      {failure && <BuyFailure currency={currency} failure={failure} />}
      <Button type="submit" variant="primary" className="min-h-13" busy={sending}>
        <CreditCard aria-hidden size={18} />
        <span>{t('buy.continue')}</span>
      </Button>
      <p className="shown-whole text-center text-s text-ink-2">
        <span>{t('buy.camera')}</span>
        <WholeEnd />
      </p>
    </form>
  )
}

const onlyLocked = (countries: readonly CountryName[], locked: string | null): readonly CountryName[] =>
  countries.filter(({ code }) => code === locked)
