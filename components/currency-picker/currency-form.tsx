'use client'

import type { ReactNode } from 'react'
import { useLocation } from './location.tsx'

/** The query by which a page shows its currencies as links. */
export const CHOOSE = { name: 'choose', value: 'currency' } as const

/** Around a button that opens the currency picker: before the page's scripts it leads to the currencies as links. */
export function CurrencyForm({ children }: { readonly children: ReactNode }) {
  const kept = [...useLocation().query].filter(([name]) => name !== CHOOSE.name)
  return (
    <form method="get" className="contents">
      {kept.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name={CHOOSE.name} value={CHOOSE.value} />
      {children}
    </form>
  )
}
