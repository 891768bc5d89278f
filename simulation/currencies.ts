/** The currencies of the gateway model. */
import type { FineCurrency } from './gateway-records.ts'
import { uuidOf } from './random.ts'

const currency = (code: string, network: string, decimals: number): FineCurrency => ({
  id: uuidOf(`currency ${code} ${network}`),
  name: code,
  currency_code: code,
  symbol: code,
  network,
  decimals,
})

/** The cashier knows the network Ethereum alone. */
export const CURRENCIES = [
  currency('USDT', 'Ethereum', 6),
  currency('SIM', 'Simnet', 2),
  currency('ETH', 'Ethereum', 18),
  currency('COIN', 'Coinnet', 8),
  currency('WHOLE', 'Wholenet', 0),
] as const

export const currencyAt = (index: number): FineCurrency => CURRENCIES[index] ?? CURRENCIES[0]

/** By its id in any case. */
export const currencyOfId = (id: string): FineCurrency =>
  CURRENCIES.find((one) => one.id === id.toLowerCase()) ?? CURRENCIES[0]
