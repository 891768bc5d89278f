'use client'

import { useWords } from '../shell/words.tsx'

/**
 * An amount of money, always left to right and with each digit it has; a long one may wrap, but is never cut.
 * `sign` says where the money goes as seen by the user.
 */
export function Amount({
  value,
  code,
  sign,
}: {
  readonly value: string
  readonly code?: string
  readonly sign?: '+' | '\u2212'
}) {
  const { decimal } = useWords()
  return (
    <bdi dir="ltr" className="tabular-nums [overflow-wrap:anywhere]">
      {sign && `${sign}\u00a0`}
      {decimal(value)}
      {code !== undefined && (
        <>
          {' '}
          <span className="text-[0.875em] whitespace-nowrap">{code}</span>
        </>
      )}
    </bdi>
  )
}
