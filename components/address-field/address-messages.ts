/** Error messages and hints of the address field. */
import type { AddressCheck, Destination, DestinationNote } from '#lib/addresses/index.ts'
import { usesTags } from '#lib/addresses/tags.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'

export type FailedCheck = Extract<AddressCheck, { ok: false }>

interface FieldMessage {
  readonly key: MessageKey
  readonly values: Readonly<Record<string, string>>
}

const FAULT_MESSAGES: Readonly<Record<FailedCheck['fault'], MessageKey>> = {
  empty: 'withdraw.address.empty',
  too_long: 'withdraw.address.tooLong',
  not_visible_ascii: 'withdraw.address.characters',
  wrong_network: 'withdraw.address.otherNetwork',
  testnet: 'withdraw.address.testnet',
  bad_checksum: 'withdraw.address.mistake',
  malformed: 'withdraw.address.malformed',
}

export const FAMILY_NAMES: Readonly<Record<NonNullable<FailedCheck['looksLike']>, string>> = {
  bitcoin: 'Bitcoin',
  bitcoin_cash: 'Bitcoin Cash',
  litecoin: 'Litecoin',
  dogecoin: 'Dogecoin',
  ethereum: 'Ethereum',
  tron: 'Tron',
  solana: 'Solana',
}

/** The error message for a failed check, with its values. */
function addressFaultMessage(check: FailedCheck, network: string): FieldMessage {
  if (check.looksLike !== undefined)
    return { key: 'withdraw.address.looksLike', values: { looksLike: FAMILY_NAMES[check.looksLike], network } }
  return { key: FAULT_MESSAGES[check.fault], values: { network } }
}

/** The error message for a destination that failed its check. */
export function destinationFault({ notes }: Destination, check: FailedCheck, network: string): FieldMessage {
  const tag = notes.find((note) => note.kind === 'tag')
  return check.fault === 'not_visible_ascii' && tag
    ? { key: 'withdraw.address.twoParts', values: { tag: shortened(tag.tag) } }
    : addressFaultMessage(check, network)
}

/** True if more typing cannot correct the address, so that the error is shown at once. */
export const isFinalFault = (check: FailedCheck): boolean =>
  check.fault === 'wrong_network' || check.fault === 'testnet' || check.fault === 'too_long'

const MOST_QUOTED = 60
const shortened = (text: string): string => (text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)}…` : text)

const NOTE_MESSAGES: Readonly<Record<DestinationNote['kind'], MessageKey>> = {
  cleaned: 'withdraw.address.cleaned',
  link: 'withdraw.address.link',
  other_link: 'withdraw.address.otherLink',
  left_out: 'withdraw.address.leftOut',
  tag: 'withdraw.address.tag',
}

/**
 * The hints below an address without a fault, or below an empty field (`read` is null).
 * @param decimal formats an amount in the user's language
 */
export function destinationHints(
  read: Destination | null,
  { currency_code: code, network }: Pick<Currency, 'currency_code' | 'network'>,
  decimal: (amount: string) => string,
): readonly FieldMessage[] {
  const values = { code, network }
  const hasTag = read?.notes.some(({ kind }) => kind === 'tag') ?? false
  const tags: readonly FieldMessage[] =
    usesTags(network) && !hasTag ? [{ key: 'withdraw.address.tagWarning', values: { network } }] : []
  if (read === null) return tags
  const { check, notes, amount } = read
  const said = notes.map((note) => ({
    key: NOTE_MESSAGES[note.kind],
    values: {
      ...values,
      ...('text' in note && { text: shortened(note.text) }),
      ...('tag' in note && { tag: shortened(note.tag) }),
    },
  }))
  const asked: readonly FieldMessage[] =
    amount === null ? [] : [{ key: 'withdraw.address.linkAmount', values: { code, amount: decimal(amount) } }]
  return [...said, ...asked, ...checkHints(check, network), ...tags]
}

function checkHints(check: AddressCheck, network: string): readonly FieldMessage[] {
  if (!check.ok) return []
  if (check.checked === 'full') return [{ key: 'withdraw.address.fits', values: { network } }]
  if (check.looksLike === undefined) return [{ key: 'withdraw.address.unchecked', values: { network } }]
  return [{ key: 'withdraw.address.uncheckedLooksLike', values: { network, looksLike: FAMILY_NAMES[check.looksLike] } }]
}
