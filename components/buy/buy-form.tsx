'use client'

import CreditCard from 'lucide-react/icons/credit-card'
import { useMemo, useRef, useState, type SubmitEvent } from 'react'
import type { RequestFailure } from '#lib/browser/request-failure.ts'
import { countryNames, FIAT, fiatOf, type Named } from '#lib/i18n/region-names.ts'
import { readTypedAmount } from '#lib/i18n/typed-amount.ts'
import { useSession } from '../shell/session.tsx'
import { useWords } from '../shell/words.tsx'
import { AmountField } from '../ui/amount-field.tsx'
import { AMOUNT_FAULT_WORDS } from '../ui/amount-words.ts'
import { Button } from '../ui/button.tsx'
import { Field, fieldInput } from '../ui/field.tsx'
import { useHydrated } from '../ui/hydrated.ts'
import { problemFacts } from '../ui/problem.tsx'
import { PROBLEM_WORDS } from '../ui/problem-words.ts'
import { SupportLink } from '../ui/support-link.tsx'
import { Notice } from '../ui/tone.tsx'

export interface BuyOrder {
  /** Canonical decimal string. */
  readonly amount: string
  readonly fiat_currency: string
  readonly country: string
}

/** Where this device seems to be; empty where it does not say. */
function deviceCountry(): string {
  const { region } = new Intl.Locale(navigator.language).maximize()
  return region ?? ''
}

/** What to pay, in which money, and from where. */
export function BuyForm({
  sending,
  failure,
  onOrder,
}: {
  readonly sending: boolean
  readonly failure: RequestFailure | null
  readonly onOrder: (order: BuyOrder) => void
}) {
  const { t, locale, marks } = useWords()
  const { country: locked, supportUrl } = useSession()
  const hydrated = useHydrated()
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState(false)
  const [chosenCountry, setCountry] = useState<string | null>(null)
  const [chosenFiat, setFiat] = useState<string | null>(null)
  const amountRef = useRef<HTMLInputElement>(null)
  const countryRef = useRef<HTMLSelectElement>(null)

  const countries = useMemo(() => countryNames(locale), [locale])
  const country = locked ?? chosenCountry ?? (hydrated ? deviceCountry() : '')
  const fiat = chosenFiat ?? fiatOf(country)
  const read = readTypedAmount(typed, marks)
  const refused = failure?.facts.errors

  const amountFault = (): string | null => {
    if (read.state === 'fault') return t(AMOUNT_FAULT_WORDS[read.fault])
    if (refused?.['amount']) return t('buy.amountRefused')
    return asked && read.state === 'empty' ? t('amount.empty') : null
  }
  const countryFault = (): string | null => {
    if (refused?.['country']) return t('buy.countryRefused')
    return asked && country === '' ? t('buy.countryEmpty') : null
  }

  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    setAsked(true)
    if (read.state !== 'amount') amountRef.current?.focus()
    else if (country === '') countryRef.current?.focus()
    else onOrder({ amount: read.decimal, fiat_currency: fiat, country })
  }

  const facts = failure && problemFacts(failure)
  return (
    <form onSubmit={submit} noValidate className="grid grid-cols-[minmax(0,1fr)] gap-3" data-testid="buy-form">
      <AmountField
        id="buy-amount"
        label={t('buy.pay')}
        typed={typed}
        read={read}
        fault={amountFault()}
        inputRef={amountRef}
        unit={
          <select
            aria-label={t('buy.fiat')}
            value={fiat}
            onChange={(event) => setFiat(event.target.value)}
            className="min-h-8 rounded-s bg-accent-soft px-2 text-s font-semibold text-accent"
          >
            {FIAT.map((code) => (
              <option key={code} value={code}>
                {code}
              </option>
            ))}
          </select>
        }
        onType={setTyped}
      />
      <Field id="buy-country" label={t('buy.country')} fault={countryFault()} hint={t('buy.countryNote')}>
        <select
          id="buy-country"
          ref={countryRef}
          value={country}
          disabled={locked !== null}
          onChange={(event) => setCountry(event.target.value)}
          aria-describedby="buy-country-note"
          aria-invalid={countryFault() !== null}
          className={`${fieldInput} min-h-9`}
        >
          <option value="" disabled>
            {t('buy.countryChoose')}
          </option>
          {/* Server and browser may sort and name countries differently: the list is the browser's. */}
          {(hydrated ? countries : lockedOnly(countries, locked)).map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      {facts && !refused && (
        <Notice tone={PROBLEM_WORDS[facts.code].tone} role="alert">
          <b className="font-semibold">{t(PROBLEM_WORDS[facts.code].title)}</b>
          <p>{t(PROBLEM_WORDS[facts.code].body)}</p>
          <SupportLink supportUrl={supportUrl} reference={facts.requestId} />
        </Notice>
      )}
      <Button type="submit" look="primary" className="min-h-13" busy={sending}>
        <CreditCard aria-hidden size={18} />
        {t('buy.continue')}
      </Button>
      <p className="text-center text-s text-ink-2">{t('buy.camera')}</p>
    </form>
  )
}

const lockedOnly = (countries: readonly Named[], locked: string | null): readonly Named[] =>
  countries.filter(({ code }) => code === locked)
