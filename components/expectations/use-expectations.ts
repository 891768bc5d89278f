'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { EXPECTATIONS_KEY, expectationOf, expectationsQuery, laterTextsQuery } from '#lib/browser/expectations.ts'
import type { Expectation } from '#lib/contract/cashier.ts'
import type { LaterCatalogue, LaterKey } from '#lib/i18n/translator.ts'
import { useBffClient } from '../context/page-runtime.tsx'
import { createTranslations, useTranslations, type Translations } from '../context/translations.tsx'

/** A currency as lists and events name it. */
export interface CurrencyName {
  readonly code: string
  readonly network: string
}

const translationsOf = (texts: LaterCatalogue | undefined): Translations<LaterKey> | null =>
  texts === undefined ? null : createTranslations(texts)

/** The texts that are loaded later; null until they are. */
export function useLaterTranslations(): Translations<LaterKey> | null {
  const { locale } = useTranslations()
  const { data } = useQuery(laterTextsQuery(locale))
  return useMemo(() => translationsOf(data), [data])
}

/** What is known of a currency; undefined until it is read, and if there is nothing. */
export function useExpectation(of: CurrencyName): Expectation | undefined {
  return expectationOf(useQuery(expectationsQuery(useBffClient())).data, of)
}

/** What the page knew when the component was shown first: for a screen whose height must not change. */
export function useKnownAtFirst(of: CurrencyName) {
  const { locale } = useTranslations()
  const cache = useQueryClient()
  const [known] = useState(() => ({
    later: translationsOf(cache.getQueryData(laterTextsQuery(locale).queryKey)),
    expectation: expectationOf(cache.getQueryData<readonly Expectation[]>(EXPECTATIONS_KEY), of),
  }))
  return known
}
