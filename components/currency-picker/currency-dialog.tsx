'use client'

import { useRef } from 'react'
import type { Currency } from '#lib/contract/cashier.ts'
import { useWords } from '../shell/words.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { CurrencyList } from './currency-list.tsx'

/** Chooses among all currencies of the session. Loaded when it is first needed. */
export default function CurrencyDialog({
  open,
  onClose,
  ...list
}: {
  readonly open: boolean
  readonly currencies: readonly Currency[]
  readonly chosen: Currency
  readonly onClose: () => void
  readonly onChoose: (currency: Currency) => void
}) {
  const { t } = useWords()
  const search = useRef<HTMLInputElement>(null)
  return (
    <Dialog open={open} title={t('currency.choose')} initialFocus={search} onClose={onClose}>
      <CurrencyList searchRef={search} {...list} />
    </Dialog>
  )
}
