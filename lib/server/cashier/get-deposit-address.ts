import type { Currency, DepositAddress } from '#lib/contract/cashier.ts'
import { Problem } from '#lib/contract/problems.ts'
import type { DepositAddressRequest } from '#lib/contract/cashier-requests.ts'
import type { Gateway } from '../gateway/types.ts'
import { createGroupCommit } from '../jobs/group-commit.ts'
import type { CashierSession, NewDepositAddress, Store } from '../store/types.ts'
import type { CurrencyCache } from './currency-cache.ts'
import { gatewayProblem } from './gateway-problem.ts'
import { readDepositAddress, withTagApart } from './read-deposit-address.ts'

export interface DepositAddressOptions {
  readonly store: Pick<Store, 'addresses' | 'transaction' | 'faultOf'>
  readonly gateway: Pick<Gateway, 'createDepositAddress'>
  readonly currencies: Pick<CurrencyCache, 'forSession'>
  readonly clock: () => number
}

/**
 * `POST /api/cashier/deposit-addresses`: asks the gateway once for the address of a user and currency, also if requests
 * are concurrent, and stores it. A reply that cannot be an address of the currency is a gateway problem: it is not
 * stored, and the next request asks again.
 * @throws Problem `not_found` for a currency that is not offered, `session_ended`, and gateway problems
 */
export function createGetDepositAddress({ store, gateway, currencies, clock }: DepositAddressOptions) {
  const asking = new Map<string, Promise<DepositAddress>>()

  /** Addresses that came at the same time share one commit, and so one flush to the disk. */
  const save = createGroupCommit<NewDepositAddress, DepositAddress>({
    commit: (rows) =>
      store.transaction(async (tx) => {
        const known = await tx.users.lock(rows.map(({ user_reference_id }) => user_reference_id))
        // The user was erased while the gateway was asked.
        if (rows.some(({ user_reference_id }) => !known.has(user_reference_id)))
          throw new Problem('session_ended', 'This session has ended.')
        const byId = Map.groupBy(rows, ({ currency_id }) => currency_id)
        // An id may have got another network while the gateway was asked: what is sent there would be lost. A list that
        // gives it one from now on deletes the address, too.
        for (const currency of await tx.currencies.keepNames([...byId.keys()]))
          for (const address of byId.get(currency.id) ?? []) readDepositAddress(currency, address)
        return tx.addresses.saveFirst(rows)
      }),
    keyOf: ({ user_reference_id }) => user_reference_id,
    faultOf: (error) => store.faultOf(error),
  })

  /** Reads the store itself: a request that comes after this call has ended finds the stored address. */
  const findOrAsk = async (user: string, asked: Currency): Promise<DepositAddress> => {
    const known = await store.addresses.find(user, asked.id)
    if (known !== null) return known
    const reply = await gateway.createDepositAddress({ currency_id: asked.id, user_reference: user })
    const given = readDepositAddress(asked, reply)
    return save({ ...given, user_reference_id: user, currency_id: asked.id, created_ms: clock() })
  }

  return async (session: CashierSession, input: DepositAddressRequest): Promise<DepositAddress> => {
    const user = session.user_reference_id
    const currency = await currencies.forSession(session, input.currency_id)
    const key = `${user} ${currency.id}`
    const running =
      asking.get(key) ??
      findOrAsk(user, currency).finally(() => {
        asking.delete(key)
      })
    asking.set(key, running)
    try {
      return withTagApart(await running)
    } catch (error) {
      throw gatewayProblem(error)
    }
  }
}

/** The stored address, for a page; null if there is none, or the currency is not offered now. */
export async function knownDepositAddress(
  store: Pick<Store, 'addresses' | 'currencies'>,
  session: CashierSession,
  currencyId: string,
): Promise<DepositAddress | null> {
  const currency = await store.currencies.byId(currencyId)
  return currency?.listed === true ? store.addresses.find(session.user_reference_id, currencyId) : null
}
