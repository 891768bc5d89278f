/** The texts by which packages/testing finds elements, from the messages of every language. */
import { readFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'
import { LOCALES } from '#lib/contract/locales.ts'

const FILE = 'packages/testing/src/texts.ts'

/** The texts of elements that the page objects use, and texts that a test compares. */
const KEYS = [
  /^flow\./,
  /^status\./,
  /^(currency\.choose|currency\.nameOn|details\.currency)$/,
  /^deposit\.(copy|live)$/,
  /^withdraw\.(amount|to|review|check\.confirm|check\.confirmAgain|check\.confirmAnyway|check\.sending)$/,
  /^buy\.(pay|country|continue)$/,
  /^history\.(details|type\.(all|Deposit|Payout))$/,
  /^common\.done$/,
]

function textsOf(locale: string): Readonly<Record<string, string>> {
  const messages = JSON.parse(readFileSync(`lib/i18n/messages/${locale}.json`, 'utf8')) as Record<string, string>
  const chosen = Object.entries(messages).filter(([key]) => KEYS.some((pattern) => pattern.test(key)))
  const choosing = chosen.find(([, text]) => /\{\w+,/.test(text))
  if (choosing) throw new RangeError(`${choosing[0]} has a plural or a choice, which the package does not evaluate`)
  return Object.fromEntries(chosen)
}

/** The file `packages/testing/src/texts.ts`. @throws RangeError for a message with plurals or choices */
export async function testingTexts(): Promise<string> {
  const texts = Object.fromEntries(LOCALES.map((locale) => [locale, textsOf(locale)]))
  const source = `/** Texts of the cashier by language. Written by \`npm run packages\` from lib/i18n/messages. */
    export const TEXTS = ${JSON.stringify(texts)} as const
    export type CashierLocale = keyof typeof TEXTS
    export type CashierTextKey = keyof (typeof TEXTS)['en']
    /** Every language of the cashier. */
    export const LOCALES = Object.keys(TEXTS) as readonly CashierLocale[]`
  return format(source, { ...(await resolveConfig(FILE)), filepath: FILE })
}
