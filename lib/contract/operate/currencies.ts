import * as z from 'zod/mini'

/** The answer of `GET /api/operate/currencies`: those of the gateway's list, and those that it had before. */
export const listedCurrencies = z.object({
  currencies: z.array(z.object({ id: z.string(), currency_code: z.string(), network: z.string() })),
})
