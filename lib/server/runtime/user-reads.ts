/** What a user's page says about a withdrawal after a person's act, in the user's language: for the console. */
import { loadCatalogue } from '#lib/i18n/catalogue.ts'
import { formatDecimal } from '#lib/i18n/decimal-format.ts'
import { siteText } from '#lib/i18n/site-texts.ts'
import { createTranslator, type MessageKey } from '#lib/i18n/translator.ts'
import type { UserReads } from '../operate/decide/withdrawal-decision.ts'

/** The texts of each act's outcome, in the order of the page (`components/withdraw/outcome-screen.tsx`). */
const TEXTS = {
  approve: ['withdraw.state.processing'],
  decline: ['withdraw.state.failed', 'withdraw.reason.declined'],
  sent: ['withdraw.state.succeeded'],
  not_sent: ['withdraw.state.failed', 'withdraw.reason.notSent'],
  says: ['withdraw.merchantSays'],
} as const satisfies Record<string, readonly MessageKey[]>

/** @param showsBalances the page shows that an amount is held: the cashier keeps the ledger */
export const createUserReads =
  (showsBalances: boolean): UserReads =>
  async ({ amount, currency_code: code }, locale, merchantName) => {
    const catalogue = await loadCatalogue(locale ?? 'en')
    const { text } = createTranslator(catalogue)
    const site = merchantName ?? ''
    const values = { amount: formatDecimal(amount, catalogue.marks), code, held: showsBalances ? 'yes' : 'no', site }
    const read = (name: keyof typeof TEXTS): string =>
      TEXTS[name].map((key) => text(siteText(key, site), values).trim()).join(' ')
    return {
      approve: read('approve'),
      decline: read('decline'),
      sent: read('sent'),
      not_sent: read('not_sent'),
      says: read('says'),
    }
  }
