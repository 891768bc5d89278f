import { expect, test } from 'vitest'
import { LOCALES } from '#lib/contract/locales.ts'
import { loadCatalogue } from './catalogue.ts'
import { siteText } from './site-texts.ts'
import { createTranslator, type MessageKey } from './translator.ts'

const ABOUT_THE_SITE = [
  'common.back',
  'problem.sessionEnded.again',
  'withdraw.state.pendingAuthorization',
  'withdraw.reason.declined',
  'withdraw.merchantSays',
] as const satisfies readonly MessageKey[]

test.each(LOCALES)('%s names the site where the session does, and else speaks of it', async (locale) => {
  const { text } = createTranslator(await loadCatalogue(locale))
  for (const key of ABOUT_THE_SITE) {
    expect(text(siteText(key, 'Acme'), { site: 'Acme' })).toContain('Acme')
    expect(text(siteText(key, null), { site: 'Acme' })).not.toContain('Acme')
    expect(siteText(key, '')).toBe(key)
  }
})

test('a text that names no site stays', () => {
  expect(siteText('history.csv', 'Acme')).toBe('history.csv')
})
