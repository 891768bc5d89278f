/** What the page tells before a person acts. Loaded late: no screen waits for it. */
import { queryOptions } from '@tanstack/react-query'
import type { Expectation } from '#lib/contract/cashier.ts'
import type { Locale } from '#lib/contract/locales.ts'
import type { LaterCatalogue } from '#lib/i18n/translator.ts'
import type { BffClient } from './bff-client.ts'
import { RequestFailure } from './request-failure.ts'

export const EXPECTATIONS_KEY = ['expectations'] as const

/** Read again only when it is shown again, or after a refusal. */
const ONCE = { refetchInterval: false, refetchOnWindowFocus: false, gcTime: Infinity } as const

const FRESH_MS = 60_000

export const expectationsQuery = (client: BffClient) =>
  queryOptions({
    queryKey: EXPECTATIONS_KEY,
    queryFn: async ({ signal }): Promise<readonly Expectation[]> =>
      (await client.get('expectations', (schemas) => schemas.expectationsSchema, signal)).expectations,
    staleTime: FRESH_MS,
    ...ONCE,
  })

/** The texts of parts that are loaded later. */
export const laterTextsQuery = (locale: Locale) =>
  queryOptions({
    queryKey: ['later-texts', locale],
    queryFn: async ({ signal }) => {
      const response = await fetch(`/messages/${locale}/later`, { signal }).catch(() => null)
      if (response?.ok !== true) throw new RequestFailure('offline', { requestId: null })
      return (await response.json()) as LaterCatalogue
    },
    staleTime: Infinity,
    ...ONCE,
  })

interface CurrencyName {
  readonly code: string
  readonly network: string
}

export const expectationOf = (
  expectations: readonly Expectation[] | undefined,
  { code, network }: CurrencyName,
): Expectation | undefined => expectations?.find((one) => one.currency_code === code && one.network === network)
