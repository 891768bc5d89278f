/** The review's questions about a destination that is almost surely a mistake. */
import type { DestinationDoubt } from '#lib/addresses/doubtful-destination.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'
import { FAMILY_NAMES } from '../address-field/address-messages.ts'

const DOUBT_MESSAGES: Readonly<Record<DestinationDoubt['kind'], MessageKey>> = {
  burn: 'withdraw.check.burn',
  contract: 'withdraw.check.contract',
  own: 'withdraw.check.own',
  looks_like: 'withdraw.address.uncheckedLooksLike',
}

export const doubtMessage = (doubt: DestinationDoubt, network: string) => ({
  key: DOUBT_MESSAGES[doubt.kind],
  values: {
    network,
    ...('token' in doubt && { token: doubt.token }),
    ...('looksLike' in doubt && { looksLike: FAMILY_NAMES[doubt.looksLike] }),
  },
})
