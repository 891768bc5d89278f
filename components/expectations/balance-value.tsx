'use client'

import { ApproximateValue } from './approximate-value.tsx'
import type { CurrencyName } from './use-expectations.ts'

/** The value of the balance, beside it. Shown only where it fits on the line: nothing may move when it comes. */
export default function BalanceValue({ amount, of }: { readonly amount: string; readonly of: CurrencyName }) {
  return (
    <span className="hidden h-[1.4em] flex-wrap overflow-hidden @min-[15rem]:flex text-xs leading-[1.4] text-ink-2">
      {/* Before it, what does not fit wraps to the hidden second line. */}
      <span className="h-[1.4em] w-px" />
      <span className="whitespace-nowrap">
        <ApproximateValue amount={amount} of={of} />
      </span>
    </span>
  )
}
