import { paymentUriOf } from '#lib/addresses/write-payment-uri.ts'
import type { Currency, DepositAddress } from '#lib/contract/cashier.ts'

/** The link that opens a wallet for a deposit; null if there is none. */
export const walletUri = (currency: Currency, { address, tag }: DepositAddress): string | null =>
  paymentUriOf(currency, { address, tag: tag ?? null })
