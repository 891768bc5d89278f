'use client'

import { useTranslations } from '../context/translations.tsx'

/**
 * In em: up to `LEAST` fits every screen, beyond `MOST` fits none. `app/globals.css` has a class for each width
 * between.
 */
const LEAST = 5
const MOST = 32

/** In em, for the wider of the usual fonts in bold. */
const widthOf = (text: string): number =>
  Array.from(text).reduce((width, letter) => width + (/[.,\s]/.test(letter) ? 0.38 : /\d/.test(letter) ? 0.7 : 0.9), 0)

/** The font size at which a text fits one line of its container: a number on two lines may be read as two numbers. */
export function fitting(text: string): string {
  const width = Math.min(Math.ceil(widthOf(text)), MOST)
  return width <= LEAST ? '' : `text-[length:min(1em,98cqi/${width})]`
}

/**
 * An amount of money, always left to right. It is never cut; a long amount becomes smaller before it breaks.
 * `short` leaves out the digits after the eighth decimal. `sign` is the direction from the user's point of view.
 */
export function Amount({
  value,
  code,
  sign,
  short = false,
}: {
  readonly value: string
  readonly code?: string
  readonly sign?: '+' | '\u2212'
  readonly short?: boolean
}) {
  const { decimal, shortAmount } = useTranslations()
  const number = `${sign ? `${sign}\u00a0` : ''}${short ? shortAmount(value) : decimal(value)}`
  return (
    <bdi dir="ltr" translate="no" className="tabular-nums [overflow-wrap:anywhere]">
      <span className={fitting(number)}>{number}</span>
      {code !== undefined && (
        <>
          {' '}
          <span className="inline-block max-w-full text-[0.875em]">{code}</span>
        </>
      )}
    </bdi>
  )
}
