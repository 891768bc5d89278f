import { dehydrate, QueryClient } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import { CashierPage } from '#components/shell/cashier-page.tsx'
import type { SessionView } from '#components/shell/session.tsx'
import { keys } from '#lib/browser/queries.ts'
import { failureCode } from '#lib/browser/request-failure.ts'
import { loadCatalogue } from '#lib/i18n/catalogue.ts'
import { getApp } from '#lib/server/runtime/app.ts'
import { Document } from '../../document.tsx'
import { requestFacts, type RequestFacts } from '../../request-facts.ts'
import { loadBalances, loadCurrencies, openSession, type ActiveSession } from './opened.ts'

/** Most pages have a session; its absence is loaded only where it is shown. */
const NoSessionPage = dynamic(() => import('#components/shell/no-session-page.tsx'))

interface Props {
  readonly params: Promise<{ readonly session: string }>
  readonly children: ReactNode
}

export default async function SessionLayout({ params, children }: Props) {
  const { session: id } = await params
  const { settings } = getApp().pages
  const [opened, facts] = await Promise.all([openSession(id), requestFacts()])
  if (opened.state !== 'active') {
    const locale = facts.browserLocale
    return (
      <Document locale={locale} theme="auto" tokens={settings.themeTokens}>
        <NoSessionPage
          ended={opened.state === 'ended'}
          framed={facts.framed}
          catalogue={await loadCatalogue(locale)}
          supportUrl={settings.supportUrl}
          embedOrigins={settings.embedOrigins}
        />
      </Document>
    )
  }
  const { session } = opened
  const locale = session.locale ?? facts.browserLocale
  const theme = session.theme ?? 'auto'
  const [catalogue, drawn] = await Promise.all([loadCatalogue(locale), drawnData(session)])
  return (
    <Document locale={locale} theme={theme} tokens={{ ...settings.themeTokens, ...session.tokens }}>
      <CashierPage
        session={sessionView(session, facts)}
        catalogue={catalogue}
        state={drawn.state}
        currenciesFailure={drawn.currenciesFailure}
        drawnAt={new Date().toISOString()}
        streamPosition={opened.streamHead}
        embedOrigins={settings.embedOrigins}
      >
        {children}
      </CashierPage>
    </Document>
  )
}

function sessionView(session: ActiveSession, { framed, zone }: RequestFacts): SessionView {
  const { settings } = getApp().pages
  return {
    id: session.id,
    flows: session.flows,
    theme: session.theme ?? 'auto',
    country: session.country,
    supportUrl: session.support_url ?? settings.supportUrl,
    returnUrl: session.return_url,
    showsBalances: settings.books === 'ledger',
    framed,
    zone,
    startedAt: new Date(session.created_ms).toISOString(),
  }
}

async function drawnData(session: ActiveSession) {
  const cache = new QueryClient()
  const [currencies, balances] = await Promise.all([loadCurrencies(session), loadBalances(session)])
  if (currencies.ok) cache.setQueryData(keys.currencies, currencies.data)
  if (balances.ok) cache.setQueryData(keys.balances, balances.data)
  return {
    state: dehydrate(cache),
    currenciesFailure: currencies.ok ? null : { code: failureCode(currencies.code), requestId: currencies.request_id },
  }
}
