import type { OnrampSession } from '#lib/contract/cashier.ts'
import { Problem } from '#lib/contract/problems.ts'
import type { OnrampSessionRequest } from '#lib/contract/cashier-requests.ts'
import type { Gateway } from '../gateway/types.ts'
import type { CashierSession, OnrampRow, Store } from '../store/types.ts'
import type { CurrencyCache } from './currency-cache.ts'
import { checkNetworkAddress } from './check-network-address.ts'
import { isAllowedLink } from './onramp-link.ts'
import { createPaymentPages, reportOf } from './payment-page.ts'

export interface StartOnrampOptions {
  readonly store: Store
  readonly gateway: Gateway
  /** See `PaymentPageOptions`. */
  readonly legacySite: string | null
  readonly currencies: CurrencyCache
  /** `ONRAMP_ORIGINS`; empty: the flow is off. */
  readonly origins: readonly string[]
  /** The page to which the provider sends the user back. */
  readonly returnUrl: string
  readonly clock: () => number
  readonly newId: () => string
}

function checkCountry(session: CashierSession, country: string): void {
  if (session.country === null || session.country === country) return
  const rule = `is fixed to ${session.country} in this session`
  throw new Problem('invalid_request', `country ${rule}.`, { errors: { country: [rule] } })
}

/** The user's own address for the coins, or null for the account. */
function ownWallet(session: CashierSession, network: string, address: string | null | undefined): string | null {
  if (address === null || address === undefined) return null
  if (!session.own_wallet) {
    const rule = 'is not allowed in this session'
    throw new Problem('invalid_request', `wallet_address ${rule}.`, { errors: { wallet_address: [rule] } })
  }
  checkNetworkAddress(network, address)
  return address
}

/** The provider has no `auto`, and its default is dark. */
const themeOf = (session: CashierSession): 'light' | 'dark' => (session.theme === 'dark' ? 'dark' : 'light')

/**
 * `POST /api/cashier/onramp-sessions`: a payment session at the gateway under our own reference. It is stored before
 * the call, so that its events match it even if the reply is lost, and removed if the gateway refuses it.
 * @throws Problem `not_available` while the flow is off, `unsafe_link` for a link outside `ONRAMP_ORIGINS`,
 * `not_found`, `invalid_request` and gateway problems
 */
export function createStartOnramp(options: StartOnrampOptions) {
  const { store, currencies, clock } = options
  const openPage = createPaymentPages(options)

  return async (session: CashierSession, input: OnrampSessionRequest): Promise<OnrampSession> => {
    if (options.origins.length === 0) throw new Problem('not_available', 'Buying is not set up here.')
    checkCountry(session, input.country)
    const currency = await currencies.forSession(session, input.currency_id)
    const wallet = ownWallet(session, currency.network, input.wallet_address)
    const now = clock()
    const row: OnrampRow = {
      id: options.newId(),
      user_reference_id: session.user_reference_id,
      currency_id: currency.id,
      currency_code: currency.currency_code,
      network: currency.network,
      amount: input.amount,
      fiat_currency: input.fiat_currency,
      country: input.country,
      correlation_key: null,
      link: null,
      expires_at: null,
      status: 'pending',
      transaction_uuid: null,
      settled_uuid: null,
      metadata: session.metadata === null ? null : JSON.stringify(session.metadata),
      wallet_address: wallet,
      created_ms: now,
      updated_ms: now,
    }
    await store.onramps.insert(row)
    const request = {
      payment_type: 'ON_RAMP',
      country: input.country,
      currency_id: currency.id,
      amount: input.amount,
      fiat_currency: input.fiat_currency,
      redirect_url: options.returnUrl,
      // A purchase to the user's own wallet is sent without the user: its events then name nobody, and nobody is
      // credited.
      ...(wallet === null ? { user_reference_id: session.user_reference_id } : { custom_wallet_address: wallet }),
      session_reference: row.id,
      ...(session.metadata !== null && { metadata: session.metadata }),
      theme: input.theme ?? themeOf(session),
    } as const
    const page = await openPage(request, {
      opened: ({ link, correlation_key, expires_at }) =>
        store.onramps.update(row, {
          link: isAllowedLink(link, options.origins) ? link : null,
          ...{ correlation_key, expires_at },
        }),
      // Without a session of the gateway, an event that names our reference is not ours.
      refused: () => store.onramps.removeUnused(row),
    })
    const { status } = (await store.onramps.find(row)) ?? row
    const { link, expires_at } = page
    return { id: row.id, link, status, expires_at, ...reportOf(page) }
  }
}
