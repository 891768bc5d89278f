'use client'

import ChevronDown from 'lucide-react/icons/chevron-down'
import { createContext, lazy, Suspense, use, useMemo, useState, type ReactNode } from 'react'
import type { Currency } from '#lib/contract/cashier.ts'
import { CurrencyIcon } from '../ui/currency-icon.tsx'
import { useChosenCurrency } from './chosen-currency.tsx'
import { useNavigation } from './navigation.tsx'
import { useWords } from './words.tsx'

const loadDialog = () => import('../currency-picker/currency-dialog.tsx')
const CurrencyDialog = lazy(loadDialog)

interface Switch {
  readonly open: () => void
  readonly preload: () => void
}
const SwitchContext = createContext<Switch>({ open: () => undefined, preload: () => undefined })

/** What opens the currency picker, and fetches it when a pointer or the focus comes near. */
export const useCurrencySwitch = (): Switch => use(SwitchContext)

export function CurrencySwitchProvider({ children }: { readonly children: ReactNode }) {
  const chosen = useChosenCurrency()
  const { ask } = useNavigation()
  const [open, setOpen] = useState(false)
  const [wanted, setWanted] = useState(false)
  const value = useMemo<Switch>(
    () => ({
      open: () => {
        setWanted(true)
        setOpen(true)
      },
      preload: () => void loadDialog(),
    }),
    [],
  )
  return (
    <SwitchContext value={value}>
      {children}
      {wanted && chosen.state === 'ready' && (
        <Suspense>
          <CurrencyDialog
            open={open}
            currencies={chosen.currencies}
            chosen={chosen.currency}
            onClose={() => setOpen(false)}
            onChoose={(currency) => {
              setOpen(false)
              ask({ currency: currency.id })
            }}
          />
        </Suspense>
      )}
    </SwitchContext>
  )
}

/** The chosen currency as a button that changes it. */
export function CurrencyButton({ currency }: { readonly currency: Currency }) {
  const { t } = useWords()
  const { open, preload } = useCurrencySwitch()
  const { currency_code: code, name, network } = currency
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      data-testid="currency-button"
      onClick={open}
      onPointerEnter={preload}
      onFocus={preload}
      className="flex w-full items-center gap-3 rounded-card border border-line bg-surface px-3.5 py-2.5 text-start hover:bg-sunken"
    >
      <CurrencyIcon currency={currency} />
      <span className="min-w-0 grow">
        <span className="sr-only">{t('details.currency')}: </span>
        <b className="block font-semibold">{code}</b>
        <span className="block text-s text-ink-2">{t('currency.nameOn', { name, network })}</span>
      </span>
      <ChevronDown aria-hidden size={18} className="shrink-0 text-ink-2" />
    </button>
  )
}
