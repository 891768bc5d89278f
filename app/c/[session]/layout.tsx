import { dehydrate, QueryClient } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import { CashierApp, type RenderedData } from '#components/shell/cashier-app.tsx'
import type { SessionView } from '#components/context/session.tsx'
import { keys } from '#lib/browser/queries.ts'
import { failureCode } from '#lib/browser/request-failure.ts'
import { loadCatalogue } from '#lib/i18n/catalogue.ts'
import { getApp } from '#lib/server/runtime/app.ts'
import { Document } from '../../document.tsx'
import { requestContext, type RequestContext } from '../../request-context.ts'
import { forFirstAnswer } from './first-answer.ts'
import { FlowScreens } from './flow-screens.tsx'
import { loadBalances, loadCurrencies, loadSession, type ActiveSession } from './load-session.ts'

/** Loaded on demand: needed only if the session ends between the server's first check and the render. */
const NoSessionPage = dynamic(() => import('#components/shell/no-session-page.tsx'))

interface Props {
  readonly params: Promise<{ readonly session: string }>
  readonly children: ReactNode
}

export default async function SessionLayout({ params, children }: Props) {
  const { session: id } = await params
  const { settings } = getApp().pages
  const [loaded, context] = await Promise.all([loadSession(id), requestContext()])
  if (loaded.state !== 'active') {
    const locale = context.browserLocale
    return (
      <Document locale={locale} theme="auto" tokens={settings.themeTokens}>
        <NoSessionPage
          catalogue={await loadCatalogue(locale)}
          supportUrl={settings.supportUrl}
          ended={loaded.state === 'ended' ? loaded : null}
          embedOrigins={settings.embedOrigins}
        />
      </Document>
    )
  }
  const { session } = loaded
  const locale = session.locale ?? context.browserLocale
  const theme = session.theme ?? 'auto'
  const [catalogue, { is: data }] = await Promise.all([
    loadCatalogue(locale),
    forFirstAnswer(renderedData(session), NO_DATA),
  ])
  return (
    <Document locale={locale} theme={theme} tokens={{ ...settings.themeTokens, ...session.tokens }}>
      <CashierApp
        session={sessionView(session, context)}
        catalogue={catalogue}
        data={data}
        renderedAt={new Date().toISOString()}
        streamPosition={loaded.streamHead}
        embedOrigins={settings.embedOrigins}
      >
        <FlowScreens>{children}</FlowScreens>
      </CashierApp>
    </Document>
  )
}

function sessionView(session: ActiveSession, { framed }: RequestContext): SessionView {
  const { settings } = getApp().pages
  return {
    id: session.id,
    flows: session.flows,
    theme: session.theme ?? 'auto',
    country: session.country,
    supportUrl: session.support_url ?? settings.supportUrl,
    returnUrl: session.return_url,
    accountLabel: session.account_label,
    ...(session.merchant_name !== null && { merchantName: session.merchant_name }),
    showsBalances: settings.ledgerMode === 'embedded',
    ownWallet: session.own_wallet,
    onrampOrigins: settings.onrampOrigins,
    confirmAbove: settings.withdrawalConfirmAbove,
    absenceS: settings.withdrawalAbsenceS,
    mayCancel: settings.userCancellation && session.flows.includes('withdraw'),
    explorer: settings.explorerUrl,
    depositLinks: settings.depositLinks,
    showsValues: settings.values,
    depositMinimums: settings.depositMinimums,
    framed,
    zone: session.time_zone,
    startedAt: new Date(session.created_ms).toISOString(),
  }
}

/** The page requests all of it. */
const NO_DATA: RenderedData = { state: dehydrate(new QueryClient()), currenciesFailure: null }

async function renderedData(session: ActiveSession): Promise<RenderedData> {
  const cache = new QueryClient()
  const [currencies, balances] = await Promise.all([loadCurrencies(session), loadBalances(session)])
  if (currencies.ok) cache.setQueryData(keys.currencies, currencies.data)
  if (balances.ok) cache.setQueryData(keys.balances, balances.data)
  return {
    state: dehydrate(cache),
    currenciesFailure: currencies.ok ? null : { code: failureCode(currencies.code), requestId: currencies.request_id },
  }
}
