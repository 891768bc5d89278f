/** Calls to other systems, each in a span. Without tracing, the function is returned unchanged. */
import { isGatewayError } from '../../gateway/errors.ts'
import type { Gateway } from '../../gateway/types.ts'
import type { createReceiveWebhook } from '../../webhooks/receive-webhook.ts'
import type { Tracing } from './tracing.ts'

/** The gateway gets no `traceparent`: it takes part in no trace, and need not know of one. */
export function tracedGateway(gateway: Gateway, tracing: Tracing): Gateway {
  if (!tracing.on) return gateway
  const call = <T>(operation: string, work: () => Promise<T>): Promise<T> =>
    tracing.span(`gateway ${operation}`, { kind: 'client' }, async (span) => {
      try {
        return await work()
      } catch (error) {
        if (isGatewayError(error)) {
          span.set({ 'cashier.gateway.outcome': error.kind })
          if (error.status !== undefined) span.set({ 'http.response.status_code': error.status })
        }
        throw error
      }
    })
  return {
    listCurrencies: (...args) => call('list_currencies', () => gateway.listCurrencies(...args)),
    createDepositAddress: (...args) => call('create_deposit_address', () => gateway.createDepositAddress(...args)),
    linkExternalWallet: (...args) => call('link_external_wallet', () => gateway.linkExternalWallet(...args)),
    withdraw: (...args) => call('withdraw', () => gateway.withdraw(...args)),
    listUserTransactions: (...args) => call('list_user_transactions', () => gateway.listUserTransactions(...args)),
    listMerchantTransactions: (...args) =>
      call('list_merchant_transactions', () => gateway.listMerchantTransactions(...args)),
    showUserTransactions: (...args) => call('list_user_transactions', () => gateway.showUserTransactions(...args)),
    showMerchantTransactions: (...args) =>
      call('list_merchant_transactions', () => gateway.showMerchantTransactions(...args)),
    createPaymentSession: (...args) => call('create_payment_session', () => gateway.createPaymentSession(...args)),
    getOnrampUrl: (...args) => call('get_onramp_url', () => gateway.getOnrampUrl(...args)),
    clockOffsetMs: () => gateway.clockOffsetMs(),
    statuses: gateway.statuses,
    close: () => gateway.close(),
  }
}

/**
 * `fetch` for calls to the merchant, who gets the trace's headers. @param name one of few, such as `merchant webhook`
 */
export function tracedFetch(fetch: typeof globalThis.fetch, tracing: Tracing, name: string): typeof globalThis.fetch {
  if (!tracing.on) return fetch
  return (input, init) =>
    tracing.span(name, { kind: 'client' }, async (span) => {
      const headers = new Headers(init?.headers)
      for (const [header, value] of Object.entries(tracing.headers())) headers.set(header, String(value))
      const response = await fetch(input, { ...init, headers })
      span.set({ 'http.response.status_code': response.status })
      if (response.status >= 400) span.fail(String(response.status))
      return response
    })
}

type Receive = ReturnType<typeof createReceiveWebhook>

export function tracedWebhooks(receive: Receive, tracing: Tracing): Receive {
  if (!tracing.on) return receive
  return (webhook) =>
    tracing.span('webhook', {}, async (span) => {
      const answer = await receive(webhook)
      span.set({ 'cashier.webhook.status': answer.status })
      if (answer.status === 200) span.set({ 'cashier.webhook.duplicate': answer.duplicate })
      return answer
    })
}
