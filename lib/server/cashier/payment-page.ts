import { Problem } from '#lib/contract/problems.ts'
import { isGatewayError, type GatewayFailure } from '../gateway/errors.ts'
import type { Gateway, PaymentSessionReply, PaymentSessionRequest } from '../gateway/types.ts'
import { gatewayProblem } from './gateway-problem.ts'
import { isAllowedLink } from './onramp-link.ts'

/**
 * Parameters of the gateway's older operation (`ONRAMP_LEGACY`): its documentation shows one value of each, but not
 * which.
 */
const LEGACY_REQUEST = { provider: 'default', operation: 'deposit' } as const

export interface PaymentPageOptions {
  readonly gateway: Pick<Gateway, 'createPaymentSession' | 'getOnrampUrl'>
  /** `ONRAMP_ORIGINS`. */
  readonly origins: readonly string[]
  /** The merchant's domain if the older operation may be used, else null. */
  readonly legacySite: string | null
}

/**
 * The provider's page. `correlation_key` is null if the gateway sends no event of the purchase except its deposit's.
 */
export type PaymentPage = Pick<PaymentSessionReply, 'link' | 'expires_at'> & { readonly correlation_key: string | null }

/** The field `reported` of a reply: false without a correlation key, since no event will name that purchase. */
export const reportOf = ({ correlation_key }: Pick<PaymentPage, 'correlation_key'>): { readonly reported?: false } =>
  correlation_key === null ? { reported: false } : {}

/** True if the gateway has no payment sessions: it says so, or does not know the path. */
const isWithoutSessions = (error: unknown): boolean =>
  isGatewayError(error) && (error.kind === 'not_available' || error.status === 404)

/** Failures after which the gateway has no session under our reference. */
const REFUSALS: readonly GatewayFailure[] = [
  'authentication',
  'validation',
  'forbidden',
  'not_available',
  'rate_limited',
  'rejected',
  'unreachable',
]

const isRefused = (error: unknown): boolean =>
  isWithoutSessions(error) || (isGatewayError(error) && REFUSALS.includes(error.kind))

/** What is to be stored before the outcome is passed on. */
export interface PageSteps {
  /** The gateway has answered; the link is not checked yet. */
  readonly opened: (page: PaymentPage) => Promise<unknown>
  /** The gateway has certainly made no session. */
  readonly refused: () => Promise<unknown>
}
const NO_STEPS: PageSteps = { opened: () => Promise.resolve(), refused: () => Promise.resolve() }

/**
 * Asks for the provider's page by a payment session, or by the older operation if the gateway has no sessions.
 * @throws Problem `unsafe_link` for a link outside `ONRAMP_ORIGINS`, and gateway problems
 */
export function createPaymentPages({ gateway, origins, legacySite }: PaymentPageOptions) {
  const legacy = async ({ currency_id, country, user_reference_id, theme }: PaymentSessionRequest) => {
    const request = { currency_id, country, user_reference_id: user_reference_id ?? '', theme: theme ?? 'light' }
    const { link } = await gateway.getOnrampUrl({ ...LEGACY_REQUEST, ...request, site: legacySite ?? '' })
    return { link, correlation_key: null, expires_at: null }
  }

  const open = async (request: PaymentSessionRequest, refused: () => Promise<unknown>): Promise<PaymentPage> => {
    try {
      return await gateway.createPaymentSession(request)
    } catch (error) {
      // The older operation cannot pay into a wallet of the user's own.
      const mayFallBack = legacySite !== null && request.custom_wallet_address === undefined
      try {
        if (!mayFallBack || !isWithoutSessions(error)) throw error
        return await legacy(request)
      } catch (failure) {
        if (isRefused(error)) await refused()
        throw failure
      }
    }
  }

  return async (request: PaymentSessionRequest, { opened, refused }: PageSteps = NO_STEPS): Promise<PaymentPage> => {
    const page = await open(request, refused).catch((error: unknown) => {
      throw gatewayProblem(error)
    })
    await opened(page)
    if (!isAllowedLink(page.link, origins))
      throw new Problem('unsafe_link', 'The payment provider’s page is not on the list of allowed addresses.')
    return page
  }
}
