/** One way in for what is typed, pasted or scanned into an address field. */
import type { Decimal } from '#lib/contract/money.ts'
import { checkAddress, type AddressCheck } from './check-address.ts'
import { isSameNetwork, networkFamily } from './network-family.ts'
import { readPaymentUri, type PaymentUri } from './payment-uri.ts'
import { splitTag, usesTags } from './tags.ts'
import { readQuery, tagOf } from './uri-query.ts'

export type DestinationNote =
  /** Spaces or invisible characters were taken out. */
  | { readonly kind: 'cleaned' }
  /** The address is that of a payment link. */
  | { readonly kind: 'link' }
  /** The link is for another network or currency, so that its amount says nothing here. */
  | { readonly kind: 'other_link' }
  /** What stood beside the address, such as a tag, and is not used. */
  | { readonly kind: 'left_out'; readonly text: string }
  /** The tag that the address has in it. */
  | { readonly kind: 'tag'; readonly tag: string }

export interface Destination {
  /** What the field shows and what is sent; the text itself where nothing in it is an address for sure. */
  readonly address: string
  readonly check: AddressCheck
  /** What a link of this currency asks for. */
  readonly amount: Decimal | null
  readonly notes: readonly DestinationNote[]
}

export interface DestinationCurrency {
  readonly currency_code: string
  readonly network: string
}

/** White space, and characters that show nothing. */
const INVISIBLE = '[\\s\\p{Cf}\\u034f\\u115f\\u1160\\u3164\\uffa0\\ufe00-\\ufe0f]'
const OUTSIDE = new RegExp(`^${INVISIBLE}+|${INVISIBLE}+$`, 'gu')
const ANYWHERE = new RegExp(INVISIBLE, 'gu')
const BETWEEN = new RegExp(`${INVISIBLE}+`, 'u')

/** What a piece of the text may be: the address as it is, or a link with one. */
interface Found {
  readonly address: string
  readonly uri: PaymentUri | null
  /** Named beside the address. */
  readonly beside: string | null
}

/** An address that the whole of this text is, alone or as a link. `checkAddress` decides, each for its own network. */
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

/** Of several pieces, the one that is an address; null where none is, or two differ. */
function oneOfPieces(network: string, pieces: readonly string[]): Found | null {
  const found = pieces.map((piece) => wholeAddress(network, piece))
  const addresses = found.filter((one) => one !== null)
  const [first] = addresses
  if (first === undefined || addresses.some(({ address }) => address !== first.address)) return null
  const others = pieces.filter((_, at) => found[at] === null)
  return { ...first, beside: [...(first.beside === null ? [] : [first.beside]), ...others].join(' ') || null }
}

/** Codes that two names of one coin have. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['XBT', 'BTC'],
  ['MATIC', 'POL'],
])
const plainCode = (code: string): string => ALIASES.get(code.toUpperCase()) ?? code.toUpperCase()

/** The amount that a link asks for in this currency, and whether it is for another one. */
function readLink(
  { network, code, amount }: PaymentUri,
  chosen: DestinationCurrency,
): { readonly amount: Decimal | null; readonly isOther: boolean } {
  const isOtherCode = code !== null && plainCode(code) !== plainCode(chosen.currency_code)
  // Without a chain, the address is of each that has Ethereum's addresses, and the amount in Ethereum's coin.
  const isOtherNetwork =
    network === null ? networkFamily(chosen.network) !== 'ethereum' : !isSameNetwork(network, chosen.network)
  const isPayable = code !== null && !isOtherCode && isSameNetwork(network ?? 'Ethereum', chosen.network)
  return {
    amount: isPayable ? amount : null,
    isOther: isOtherCode || isOtherNetwork || (amount !== null && !isPayable),
  }
}

/** A text that is longer is no address, and is not searched for one. */
const MOST_CHARACTERS = 2000

/**
 * What a text names as a destination. White space and invisible characters go where the rest is then an address of a
 * network that we check; a payment link gives its address, and its amount where it is for this currency; an address among
 * other words is taken alone. All that is said in `notes`. Everything else stays as it is: nothing is joined on a guess.
 */
export function readDestination(text: string, currency: DestinationCurrency): Destination {
  const { network } = currency
  const trimmed = text.replace(OUTSIDE, '')
  const result = (address: string, notes: readonly DestinationNote[], amount: Decimal | null = null): Destination => ({
    address,
    check: checkAddress(network, address),
    amount,
    notes,
  })
  if (trimmed.length > MOST_CHARACTERS) return result(trimmed, [])
  const pieces = trimmed.split(BETWEEN)
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
  const joined = trimmed.replace(ANYWHERE, '')
  if (joined !== trimmed && wholeAddress(network, joined)?.address === joined)
    return result(joined, [{ kind: 'cleaned' }])
  if (!usesTags(network)) return result(trimmed, [])
  const tag = splitTag(network, trimmed).tag ?? (pieces.length > 1 ? pieces.slice(1).join(' ') : null)
  return result(trimmed, tag === null ? [] : [{ kind: 'tag', tag }])
}
