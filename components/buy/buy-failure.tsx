'use client'

import type { RequestFailure } from '#lib/browser/request-failure.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { useCurrencyPicker } from '../currency-picker/currency-picker.tsx'
import { Button } from '../ui/button.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { SupportLink } from '../ui/support-link.tsx'
import { Notice } from '../ui/tone.tsx'

/** Fields that show their message in the form. */
const SHOWN_AT_FIELD = ['amount', 'country', 'fiat_currency', 'wallet_address']

/** Why a purchase did not start, unless a field says it. If the currency is not sold, offers the others. */
export function BuyFailure({ currency, failure }: { readonly currency: Currency; readonly failure: RequestFailure }) {
  const { t } = useTranslations()
  const { supportUrl } = useSession()
  const { open } = useCurrencyPicker()
  const fields = Object.keys(failure.details.errors ?? {})
  if (fields.includes('currency_id'))
    return (
      <Notice tone="wait" role="alert">
        <p>{t('buy.currencyRefused', { code: currency.currency_code, network: currency.network })}</p>
        <Button variant="chip" className="mt-2" onClick={open}>
          {t('buy.otherCurrency')}
        </Button>
      </Notice>
    )
  if (fields.some((field) => SHOWN_AT_FIELD.includes(field))) return null
  return (
    <FailureNotice error={failure}>
      <SupportLink supportUrl={supportUrl} reference={failure.details.requestId} />
    </FailureNotice>
  )
}
