import { expect, test } from 'vitest'
import { LOCALES } from '#lib/contract/locales.ts'
import { loadCatalogue } from '#lib/i18n/catalogue.ts'
import { createTranslator } from '#lib/i18n/translator.ts'
import { ERROR_TEXTS } from './error-texts.ts'

test.each(LOCALES)('%s: the texts of the global error screen are those of the catalogue', async (locale) => {
  const { text } = createTranslator(await loadCatalogue(locale))
  expect(ERROR_TEXTS[locale]).toEqual({
    title: text('problem.other.title'),
    body: text('problem.other.body'),
    retry: text('common.retry'),
    quote: text('problem.quote'),
  })
})
