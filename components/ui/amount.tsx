'use client'

import { useTranslations } from '../context/translations.tsx'

/**
 * An amount of money, always left to right and with every digit; a long one wraps and is never cut.
 * `sign` is the direction as the user sees it.
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
  const { decimal } = useTranslations()
  return (
    <bdi dir="ltr" translate="no" className="tabular-nums [overflow-wrap:anywhere]">
      {sign && `${sign}\u00a0`}
      {decimal(value)}
      {code !== undefined && (
        <>
          {' '}
          <span className="inline-block max-w-full text-[0.875em]">{code}</span>
        </>
      )}
    </bdi>
  )
}
