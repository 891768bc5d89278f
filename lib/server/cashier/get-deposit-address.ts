import type { DepositAddress } from '#lib/contract/cashier.ts'
import type { DepositAddressRequest } from '#lib/contract/cashier-requests.ts'
import type { Gateway } from '../gateway/port.ts'
import type { CashierSession, Store } from '../store/port.ts'
import type { CurrencyCache } from './currency-cache.ts'
import { gatewayProblem } from './gateway-problem.ts'

export interface DepositAddressOptions {
  readonly store: Pick<Store, 'addresses'>
  readonly gateway: Pick<Gateway, 'createDepositAddress'>
  readonly currencies: Pick<CurrencyCache, 'forSession'>
  readonly clock: () => number
}

/**
 * `POST /api/cashier/deposit-addresses`: the gateway is asked once for the address of a user and currency, also by
 * concurrent requests, and the address is stored. Throws `not_found` for a currency that is not offered, and gateway problems.
 */
export function createGetDepositAddress({ store, gateway, currencies, clock }: DepositAddressOptions) {
  const asking = new Map<string, Promise<DepositAddress>>()

  /** The stored one is read here: whoever comes after this has ended finds it. */
  const findOrAsk = async (user: string, currencyId: string): Promise<DepositAddress> => {
    const known = await store.addresses.find(user, currencyId)
    if (known !== null) return known
    const { address, currency, network } = await gateway.createDepositAddress({
      currency_id: currencyId,
      user_reference: user,
    })
    return store.addresses.saveFirst(user, currencyId, { address, currency, network }, clock())
  }

  return async (session: CashierSession, input: DepositAddressRequest): Promise<DepositAddress> => {
    const user = session.user_reference_id
    const { id } = await currencies.forSession(session, input.currency_id)
    const key = `${user} ${id}`
    const running =
      asking.get(key) ??
      findOrAsk(user, id).finally(() => {
        asking.delete(key)
      })
    asking.set(key, running)
    try {
      return await running
    } catch (error) {
      throw gatewayProblem(error)
    }
  }
}
