'use client'

import ChevronDown from 'lucide-react/icons/chevron-down'
import { createContext, Suspense, use, useMemo, useState, type ReactNode } from 'react'
import type { Currency } from '#lib/contract/cashier.ts'
import { CurrencyIcon } from '../ui/currency-icon.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { WholeEnd } from '../ui/whole-end.tsx'
import { useChosenCurrency } from './chosen-currency.tsx'
import { CurrencyForm } from './currency-links.tsx'
import { useNavigation } from '../context/navigation.tsx'
import { useNameOnNetwork } from '../context/use-name-on-network.ts'
import { useTranslations } from '../context/translations.tsx'

const CurrencyDialog = lazyPart(() => import('./currency-dialog.tsx'))

interface CurrencyPicker {
  readonly open: () => void
  readonly preload: () => void
}
const PickerContext = createContext<CurrencyPicker>({ open: () => undefined, preload: () => undefined })

/** Opens the currency picker; `preload` loads its code on hover or focus. */
export const useCurrencyPicker = (): CurrencyPicker => use(PickerContext)

export function CurrencyPickerProvider({ children }: { readonly children: ReactNode }) {
  const chosen = useChosenCurrency()
  const { setQuery } = useNavigation()
  const [open, setOpen] = useState(false)
  const [needed, setNeeded] = useState(false)
  const value = useMemo<CurrencyPicker>(
    () => ({
      open: () => {
        setNeeded(true)
        setOpen(true)
      },
      preload: CurrencyDialog.preload,
    }),
    [],
  )
  return (
    <PickerContext value={value}>
      {needed && chosen.state === 'ready' && (
        <Suspense>
          <CurrencyDialog
            open={open}
            currencies={chosen.currencies}
            chosen={chosen.currency}
            onClose={() => setOpen(false)}
            onChoose={(currency) => {
              setOpen(false)
              if (currency.id !== chosen.currency.id) setQuery({ currency: currency.id })
            }}
          />
        </Suspense>
      )}
      {children}
    </PickerContext>
  )
}

/** Shows the chosen currency and opens the picker. */
export function CurrencyButton({ currency }: { readonly currency: Currency }) {
  const { t } = useTranslations()
  const nameOnNetwork = useNameOnNetwork()
  const { open, preload } = useCurrencyPicker()
  const { currency_code: code, name, network } = currency
  return (
    <CurrencyForm>
      <button
        type="submit"
        aria-haspopup="dialog"
        data-testid="currency-button"
        onClick={(event) => {
          event.preventDefault()
          open()
        }}
        onPointerEnter={preload}
        onFocus={preload}
        className="shown-whole flex w-full items-center gap-3 rounded-card border border-line bg-surface px-3.5 py-2.5 text-start hover:bg-sunken"
      >
        {/* The text goes below the icon if it would break beside it. */}
        <span translate="no" className="flex min-w-0 grow flex-wrap items-center gap-x-3 gap-y-1">
          <CurrencyIcon currency={currency} />
          <span className="min-w-0 flex-1 basis-[6rem]">
            <span className="sr-only">{`${t('details.currency')}: `}</span>
            <b className="block font-semibold">{code}</b>
            <span className="block text-s text-ink-2">{nameOnNetwork(name, network)}</span>
          </span>
        </span>
        <ChevronDown aria-hidden size={18} className="shrink-0 text-ink-2" />
        <WholeEnd />
      </button>
    </CurrencyForm>
  )
}
