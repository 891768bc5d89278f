import type { Context } from '../context.ts'
import { knownCurrency } from '../currencies/find-currency.ts'
import { bought } from '../money/prices.ts'
import { findSessionByToken } from '../state/sessions.ts'
import { embedded, htmlPage } from './html.ts'
import type { WidgetSession } from './widget/session.ts'

/** The provider's hosted page for a session, or null for a link that was never given out. */
export function widgetPage(token: string, context: Context): string | null {
  const session = findSessionByToken(context.database, token)
  if (!session) return null
  const currency = knownCurrency(session.currency_id)
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
        : bought(session.amount, session.fiat_currency ?? 'USD', currency.code, currency.decimals),
    wallet: session.custom_wallet_address,
    redirectUrl: session.redirect_url,
  }
  return htmlPage({
    title: `Buy ${currency.code}`,
    name: 'widget',
    theme: session.theme,
    body: `<main class="card" id="widget" aria-live="polite"></main>${embedded('session', shown)}
<noscript>This page needs JavaScript.</noscript>`,
  })
}
