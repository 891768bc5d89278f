import type { Store } from '../../store/types.ts'

/** `GET /api/operate/currencies`: for a choice, in the order of the gateway's list. */
export const createListKnownCurrencies = (store: Pick<Store, 'currencies'>) => async () =>
  (await store.currencies.all()).map(({ id, currency_code, network }) => ({ id, currency_code, network }))
