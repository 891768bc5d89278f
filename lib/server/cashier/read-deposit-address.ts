import { checkAddress, isSameNetwork, splitTag } from '#lib/addresses/index.ts'
import type { Currency, DepositAddress } from '#lib/contract/cashier.ts'
import { UnreadableReplyError } from '../gateway/errors.ts'

const refused = (reason: string): UnreadableReplyError =>
  new UnreadableReplyError(reason, { operation: 'create_deposit_address', status: 200 })

const plain = (name: string): string => name.trim().toLowerCase()

/**
 * The address in the gateway's reply, without white space around it. A reply that cannot be an address of the requested
 * currency is refused: money sent there would be lost.
 * @throws UnreadableReplyError with the reason; the address itself is not in it
 */
export function readDepositAddress(
  asked: Pick<Currency, 'currency_code' | 'network'>,
  reply: Pick<DepositAddress, 'address' | 'currency' | 'network'>,
): DepositAddress {
  const address = reply.address.trim()
  if (plain(reply.currency) !== plain(asked.currency_code))
    throw refused(`a deposit address of ${reply.currency}, expected ${asked.currency_code}`)
  if (!isSameNetwork(reply.network, asked.network))
    throw refused(`a deposit address on ${reply.network}, expected ${asked.network}`)
  const check = checkAddress(asked.network, address)
  if (!check.ok) throw refused(`not a deposit address of ${asked.network}: ${check.fault}`)
  if (/[^\x20-\x7e]/.test(splitTag(asked.network, address).tag ?? ''))
    throw refused(`a deposit address of ${asked.network} whose tag has invisible characters`)
  return { address, currency: reply.currency, network: reply.network }
}

/** The address as the page shows it: apart from the tag or memo that the gateway wrote into it. */
export function withTagApart({ address: whole, currency, network }: DepositAddress): DepositAddress {
  const { address, tag } = splitTag(network, whole)
  return { address, currency, network, ...(tag !== null && { tag }) }
}
