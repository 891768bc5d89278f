import type { DepositLink } from '#lib/contract/cashier.ts'
import type { DepositAddressRequest } from '#lib/contract/cashier-requests.ts'
import { Problem } from '#lib/contract/problems.ts'
import type { Gateway } from '../gateway/types.ts'
import type { CashierSession } from '../store/types.ts'
import type { CurrencyCache } from './currency-cache.ts'
import { gatewayProblem } from './gateway-problem.ts'
import { isSecureLink } from './onramp-link.ts'

export interface DepositLinkOptions {
  readonly gateway: Pick<Gateway, 'linkExternalWallet'>
  readonly currencies: CurrencyCache
  /** `DEPOSIT_LINKS`. */
  readonly enabled: boolean
}

/**
 * `POST /api/cashier/deposit-links`: the gateway's page on which another wallet pays into the user's account. Each
 * request asks the gateway, since the lifetime of a link is unknown.
 * @throws Problem `not_available` while links are off, `not_found` for a currency that is not offered, `unsafe_link`
 * for a link that is not https, and gateway problems
 */
export const createGetDepositLink =
  ({ gateway, currencies, enabled }: DepositLinkOptions) =>
  async (session: CashierSession, { currency_id }: DepositAddressRequest): Promise<DepositLink> => {
    if (!enabled) throw new Problem('not_available', 'Paying from another wallet is not set up here.')
    const { id } = await currencies.forSession(session, currency_id)
    const { link } = await gateway
      .linkExternalWallet({ currency_id: id, user_reference: session.user_reference_id })
      .catch((error: unknown) => {
        throw gatewayProblem(error)
      })
    if (!isSecureLink(link)) throw new Problem('unsafe_link', 'The address of the other wallet’s page is not safe.')
    return { link }
  }
