/** Reads all text that is typed, pasted or scanned into an address field. */
import type { Decimal } from '#lib/contract/money.ts'
import { checkAddress, type AddressCheck } from './check-address.ts'
import { isSameNetwork, networkFamily } from './network-family.ts'
import { plainCode, readPaymentUri, type PaymentUri } from './payment-uri.ts'
import { splitTag, usesTags } from './tags.ts'
import { readQuery, tagOf } from './uri-query.ts'

export type DestinationNote =
  /** Spaces or invisible characters were taken out. */
  | { readonly kind: 'cleaned' }
  /** The address comes from a payment link. */
  | { readonly kind: 'link' }
  /** The link is for another network or currency, so its amount is ignored. */
  | { readonly kind: 'other_link' }
  /** Text beside the address that is not used, such as a tag. */
  | { readonly kind: 'left_out'; readonly text: string }
  /** The tag inside the address. */
  | { readonly kind: 'tag'; readonly tag: string }

export interface Destination {
  /** Shown in the field and sent. The text itself if it contains no address for certain. */
  readonly address: string
  readonly check: AddressCheck
  /** The amount in a link of this currency. */
  readonly amount: Decimal | null
  readonly notes: readonly DestinationNote[]
}

export interface DestinationCurrency {
  readonly currency_code: string
  readonly network: string
}

/** White space and invisible characters. */
const INVISIBLE = /[\s\p{Cf}\u034f\u115f\u1160\u3164\uffa0\ufe00-\ufe0f]+/gu

/** The text without white space and invisible characters at its ends. */
function trimInvisible(text: string): string {
  const pieces = text.split(INVISIBLE)
  const start = pieces[0] === '' ? (text.match(INVISIBLE)?.[0] ?? '').length : 0
  const end = pieces.at(-1) === '' ? (text.match(INVISIBLE)?.at(-1) ?? '').length : 0
  return text.slice(start, Math.max(start, text.length - end))
}

/** An address in a piece of the text, alone or in a link. */
interface Found {
  readonly address: string
  readonly uri: PaymentUri | null
  /** Text beside the address. */
  readonly beside: string | null
}

/** The address, if the whole text is an address or a link with one. `checkAddress` decides for the network of each. */
function wholeAddress(network: string, text: string): Found | null {
  const isFull = (name: string, address: string): boolean => {
    const check = checkAddress(name, address)
    return check.ok && check.checked === 'full'
  }
  if (isFull(network, text)) return { address: text, uri: null, beside: null }
  const uri = readPaymentUri(text)
  if (uri && isFull(uri.network ?? 'Ethereum', uri.address)) return { address: uri.address, uri, beside: uri.tag }
  const [address = '', ...query] = text.split('?')
  if (query.length === 0 || !isFull(network, address)) return null
  return { address, uri: null, beside: tagOf(readQuery(query.join('?'))) ?? query.join('?') }
}

/** The one piece that is an address; null if no piece is, or if two pieces are different addresses. */
function oneOfPieces(network: string, pieces: readonly string[]): Found | null {
  const found = pieces.map((piece) => wholeAddress(network, piece))
  const addresses = found.filter((one) => one !== null)
  const [first] = addresses
  if (first === undefined || addresses.some(({ address }) => address !== first.address)) return null
  const others = pieces.filter((_, at) => found[at] === null)
  return { ...first, beside: [...(first.beside === null ? [] : [first.beside]), ...others].join(' ') || null }
}

/** The amount that a link requests in this currency, and whether the link is for another currency. */
function readLink(
  { network, code, amount }: PaymentUri,
  chosen: DestinationCurrency,
): { readonly amount: Decimal | null; readonly isOther: boolean } {
  const isOtherCode = code !== null && plainCode(code) !== plainCode(chosen.currency_code)
  // Without a chain, the address is valid on each chain with Ethereum's addresses, and the amount is in Ethereum's
  // coin.
  const isOtherNetwork =
    network === null ? networkFamily(chosen.network) !== 'ethereum' : !isSameNetwork(network, chosen.network)
  const isPayable = code !== null && !isOtherCode && isSameNetwork(network ?? 'Ethereum', chosen.network)
  return {
    amount: isPayable ? amount : null,
    isOther: isOtherCode || isOtherNetwork || (amount !== null && !isPayable),
  }
}

/** A longer text is not searched for an address. */
const MOST_CHARACTERS = 2000

/**
 * Reads a text as a destination:
 *
 * - White space and invisible characters are removed if the rest is an address of a network that we check.
 * - A payment link gives its address, and its amount if the link is for this currency.
 * - An address among other words is taken alone.
 *
 * `notes` says what was done. Any other text stays unchanged: nothing is joined by a guess.
 */
export function readDestination(text: string, currency: DestinationCurrency): Destination {
  const { network } = currency
  const trimmed = trimInvisible(text)
  const result = (address: string, notes: readonly DestinationNote[], amount: Decimal | null = null): Destination => ({
    address,
    check: checkAddress(network, address),
    amount,
    notes,
  })
  if (trimmed.length > MOST_CHARACTERS) return result(trimmed, [])
  const pieces = trimmed.split(INVISIBLE)
  const found = oneOfPieces(network, pieces)
  if (found) {
    const { address, uri, beside } = found
    const link = uri !== null && address !== trimmed ? readLink(uri, currency) : null
    const hadInvisible = text.trim() !== trimmed
    return result(
      address,
      [
        ...(hadInvisible ? [{ kind: 'cleaned' } as const] : []),
        ...(link ? [{ kind: 'link' } as const] : []),
        ...(link?.isOther ? [{ kind: 'other_link' } as const] : []),
        ...(beside === null ? [] : [{ kind: 'left_out', text: beside } as const]),
      ],
      link?.amount,
    )
  }
  const joined = trimmed.replaceAll(INVISIBLE, '')
  if (joined !== trimmed && wholeAddress(network, joined)?.address === joined)
    return result(joined, [{ kind: 'cleaned' }])
  if (!usesTags(network)) return result(trimmed, [])
  const tag = splitTag(network, trimmed).tag ?? (pieces.length > 1 ? pieces.slice(1).join(' ') : null)
  return result(trimmed, tag === null ? [] : [{ kind: 'tag', tag }])
}
