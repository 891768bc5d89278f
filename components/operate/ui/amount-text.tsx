'use client'

import { useConsoleText } from '../context/texts.tsx'

/** An amount with every digit, and its currency. */
export function AmountText({
  amount,
  code,
  network,
}: {
  /** A decimal string, maybe with a sign. */
  readonly amount: string
  readonly code?: string | undefined
  readonly network?: string | null | undefined
}) {
  const { decimal } = useConsoleText()
  return (
    <bdi dir="ltr" translate="no" className="tabular-nums">
      {decimal(amount)}
      {code !== undefined && <span className="text-ink-2"> {code}</span>}
      {network != null && <span className="text-xs text-ink-3"> {network}</span>}
    </bdi>
  )
}
