import type { Context } from '../context.ts'
import { currencyById } from '../currencies/find-currency.ts'
import { cryptoForFiat } from '../money/prices.ts'
import { findSessionByToken } from '../state/sessions.ts'
import { embedded, htmlPage } from './html.ts'
import type { WidgetSession } from './widget/session.ts'

/** The provider's hosted page of a session, or null for an unknown link. */
export function widgetPage(token: string, context: Context): string | null {
  const session = findSessionByToken(context.database, token)
  if (!session) return null
  const currency = currencyById(session.currency_id)
  const shown: WidgetSession = {
    token,
    status: session.status,
    amount: session.amount,
    fiatCurrency: session.fiat_currency,
    country: session.country,
    currencyCode: currency.code,
    currencyName: currency.name,
    network: currency.network,
    youGet:
      session.amount === null
        ? null
        : cryptoForFiat(session.amount, session.fiat_currency ?? 'USD', currency.code, currency.decimals),
    wallet: session.custom_wallet_address,
    redirectUrl: session.redirect_url,
  }
  return htmlPage({
    title: `Buy ${currency.code}`,
    style: 'widget',
    script: 'widget',
    theme: session.theme,
    body: `<main class="card" id="widget" aria-live="polite"></main>${embedded('session', shown)}
<noscript>This page needs JavaScript.</noscript>`,
  })
}
