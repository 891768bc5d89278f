/** Error messages of the address field. */
import type { AddressCheck } from '#lib/addresses/index.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'

export type FailedCheck = Extract<AddressCheck, { ok: false }>

const FAULT_MESSAGES: Readonly<Record<FailedCheck['fault'], MessageKey>> = {
  empty: 'withdraw.address.empty',
  too_long: 'withdraw.address.tooLong',
  not_visible_ascii: 'withdraw.address.characters',
  wrong_network: 'withdraw.address.otherNetwork',
  testnet: 'withdraw.address.testnet',
  bad_checksum: 'withdraw.address.mistake',
  malformed: 'withdraw.address.malformed',
}

const FAMILY_NAMES: Readonly<Record<NonNullable<FailedCheck['looksLike']>, string>> = {
  bitcoin: 'Bitcoin',
  bitcoin_cash: 'Bitcoin Cash',
  litecoin: 'Litecoin',
  dogecoin: 'Dogecoin',
  ethereum: 'Ethereum',
  tron: 'Tron',
  solana: 'Solana',
}

/** The error message for a failed check, with its values. */
export function addressFaultMessage(
  check: FailedCheck,
  network: string,
): { readonly key: MessageKey; readonly values: Readonly<Record<string, string>> } {
  if (check.looksLike !== undefined)
    return { key: 'withdraw.address.looksLike', values: { looksLike: FAMILY_NAMES[check.looksLike], network } }
  return { key: FAULT_MESSAGES[check.fault], values: { network } }
}

/** True where typing more cannot correct the address, so that the error is shown at once. */
export const isFinalFault = (check: FailedCheck): boolean =>
  check.fault === 'wrong_network' || check.fault === 'testnet' || check.fault === 'too_long'
