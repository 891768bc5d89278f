'use client'

import { ApproximateValue } from './approximate-value.tsx'
import type { CurrencyName } from './use-expectations.ts'

/**
 * The value of the balance, beside it, on two lines as high as the balance. Shown only where these fit: nothing may
 * move when it comes.
 */
export default function BalanceValue({ amount, of }: { readonly amount: string; readonly of: CurrencyName }) {
  return (
    <span className="ms-1.5 hidden h-[2.2em] flex-wrap self-center overflow-hidden @min-[13rem]:flex text-xs leading-[1.1] text-ink-2">
      {/* Before it, what does not fit wraps to the hidden lines below. */}
      <span className="h-[2.2em] w-px" />
      <span>
        <ApproximateValue inSigns amount={amount} of={of} />
      </span>
    </span>
  )
}
