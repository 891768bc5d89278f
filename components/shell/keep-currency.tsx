'use client'

import { useSearchParams } from 'next/navigation'
import { useEffect } from 'react'
import { useChosenCurrency } from './currencies.ts'

/**
 * Writes the currency that the page began with into its address. What is chosen by default follows the balances; an
 * address to pay to must not change under somebody's eyes when a balance does.
 */
export function KeepCurrency() {
  const chosen = useChosenCurrency()
  const named = useSearchParams().get('currency') !== null
  const id = chosen.state === 'ready' ? chosen.currency.id : null
  useEffect(() => {
    if (named || id === null) return
    const address = new URL(window.location.href)
    address.searchParams.set('currency', id)
    window.history.replaceState(null, '', address)
  }, [named, id])
  return null
}
