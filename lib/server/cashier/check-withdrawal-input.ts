import { checkAddress, type AddressFault } from '#lib/addresses/index.ts'
import { amountFault, decimal, type AmountFault, type Decimal } from '#lib/contract/money.ts'
import { Problem } from '#lib/contract/problems.ts'

const AMOUNT_WORDS: Readonly<Record<AmountFault, string>> = {
  not_a_decimal: 'must be a plain decimal such as "12.5": digits with an optional point, no sign, no exponent',
  not_positive: 'must be above zero',
  too_many_digits: 'must have at most 60 digits before the point',
  too_many_fractional_digits: 'must have at most 30 digits after the point',
}

const ADDRESS_WORDS: Readonly<Record<AddressFault, string>> = {
  empty: 'must not be empty',
  too_long: 'must have at most 256 characters',
  not_visible_ascii: 'must be visible ASCII characters without spaces',
  wrong_network: 'is an address of another network',
  testnet: 'is an address of a test network',
  bad_checksum: 'has a mistake in it: its checksum is wrong',
  malformed: 'is not an address of this network',
}

const invalid = (field: string, words: string): Problem =>
  new Problem('invalid_request', `${field} ${words}.`, { errors: { [field]: [words] } })

/** The amount of a withdrawal. Throws `invalid_request` that names what is allowed. */
export function readAmount(text: string): Decimal {
  const fault = amountFault(text)
  if (fault !== null) throw invalid('amount', AMOUNT_WORDS[fault])
  return decimal(text)
}

/** What every address must be, whatever its network (contract section 7). Throws `invalid_request`. */
export function checkAnyAddress(address: string): void {
  if (!/^[\x21-\x7e]{1,256}$/.test(address))
    throw invalid('wallet_address', 'must be 1 to 256 visible ASCII characters without spaces')
}

/** The address for its network. Throws `invalid_request` that says what is wrong with it. */
export function checkNetworkAddress(network: string, address: string): void {
  const check = checkAddress(network, address)
  if (!check.ok) throw invalid('wallet_address', ADDRESS_WORDS[check.fault])
}
