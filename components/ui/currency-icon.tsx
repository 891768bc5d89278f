'use client'

import { useEffect, useRef, useState } from 'react'
import { findNetwork } from '#lib/addresses/networks.ts'
import { isOwnCoin } from '#lib/browser/currency-name.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import { coinMark, NETWORK_MARKS } from './network-marks.tsx'

/** Background colours with enough contrast for white letters. */
const BACKGROUNDS = ['#0f766e', '#4f46e5', '#b45309', '#be185d', '#15803d', '#7c3aed', '#0369a1', '#4d7c0f'] as const

const backgroundOf = (text: string): string => {
  let sum = 0
  for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return BACKGROUNDS[sum % BACKGROUNDS.length] ?? BACKGROUNDS[0]
}

const firstLetter = (text: string): string => (Array.from(text.trim(), (letter) => letter)[0] ?? '?').toUpperCase()

/**
 * The currency's icon with its network's icon, unless the currency is the network's own coin. Below each icon is a
 * generated one, which shows if the icon is missing or does not load. Decoration only: the name is always beside it.
 */
export function CurrencyIcon({
  currency,
}: {
  readonly currency: Pick<Currency, 'currency_code' | 'name' | 'network' | 'currency_icon' | 'network_icon'>
}) {
  const { currency_code: code, network, currency_icon: icon, network_icon: networkIcon } = currency
  const mark = coinMark(code)
  return (
    <span aria-hidden className="relative size-9 shrink-0">
      <svg viewBox="0 0 36 36" className="size-9 forced-color-adjust-none">
        <circle cx="18" cy="18" r="18" fill={mark?.background ?? backgroundOf(code)} />
        {mark ? (
          <g transform="scale(2)">{mark.shape}</g>
        ) : (
          <text x="18" y="23.5" textAnchor="middle" fontSize="15" fontWeight="700" fill="#fff">
            {firstLetter(code)}
          </text>
        )}
      </svg>
      {icon !== undefined && isWebAddress(icon) && (
        <LoadedIcon key={icon} url={icon} size={36} className="inset-0 size-9" />
      )}
      {!isOwnCoin(currency) && (
        <>
          <NetworkMark network={network} />
          {networkIcon !== undefined && isWebAddress(networkIcon) && (
            <LoadedIcon
              key={networkIcon}
              url={networkIcon}
              size={18}
              className="-end-1 -bottom-1 size-[18px] border-2 border-surface"
            />
          )}
        </>
      )}
    </span>
  )
}

/** A drawing for a known network, a first letter for any other. */
function NetworkMark({ network }: { readonly network: string }) {
  const known = findNetwork(network)
  const mark = known && NETWORK_MARKS[known.id]
  return (
    <svg viewBox="0 0 18 18" className="absolute -end-1 -bottom-1 size-[18px] forced-color-adjust-none">
      <circle
        cx="9"
        cy="9"
        r="8"
        fill={mark?.background ?? backgroundOf(network)}
        strokeWidth="2"
        className="stroke-surface"
      />
      {mark?.shape ?? (
        <text x="9" y="12.2" textAnchor="middle" fontSize="8.5" fontWeight="700" fill="#fff">
          {firstLetter(network)}
        </text>
      )}
    </svg>
  )
}

const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url)

function LoadedIcon({
  url,
  size,
  className,
}: {
  readonly url: string
  /** In pixels. */
  readonly size: number
  readonly className: string
}) {
  const image = useRef<HTMLImageElement>(null)
  const [broken, setBroken] = useState(false)
  useEffect(() => {
    // It may have failed before hydration.
    const { complete, naturalWidth } = image.current ?? { complete: false, naturalWidth: 1 }
    if (complete && naturalWidth === 0) queueMicrotask(() => setBroken(true))
  }, [])
  if (broken) return null
  return (
    <img
      ref={image}
      src={url}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBroken(true)}
      className={`absolute rounded-full bg-surface object-cover ${className}`}
    />
  )
}
