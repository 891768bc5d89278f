import type { Metadata } from 'next'
import { cache } from 'react'
import type { Balance, Currency, Flow } from '#lib/contract/cashier.ts'
import { loadCatalogue } from '#lib/i18n/catalogue.ts'
import { createTranslator } from '#lib/i18n/translator.ts'
import { getApp, type Loaded } from '#lib/server/runtime/app.ts'
import type { PageSession } from '#lib/server/runtime/http/authenticate-session.ts'
import { pageCurrency } from '../../page-currency.ts'
import { requestContext } from '../../request-context.ts'

export type ActiveSession = Extract<PageSession, { state: 'active' }>['session']

type LoadedSession = PageSession & { readonly streamHead: string | null }

/**
 * The session of a page and the position of its user's stream. Runs once a request, before other data is read, so that
 * the page can have missed only events after that position.
 */
export const loadSession = cache(async (id: string): Promise<LoadedSession> => {
  const { cookie } = await requestContext()
  const { pages } = getApp()
  const loaded = await pages.session(id, cookie)
  return { ...loaded, streamHead: loaded.state === 'active' ? await pages.streamHead(loaded.session) : null }
})

/** The session if it is active and has the flow; `null` if there is no active session. */
export async function loadSessionFor(id: string, flow: Flow): Promise<ActiveSession | 'not-allowed' | null> {
  const loaded = await loadSession(id)
  if (loaded.state !== 'active') return null
  return loaded.session.flows.includes(flow) ? loaded.session : 'not-allowed'
}

export const loadCurrencies = cache((session: ActiveSession): Promise<Loaded<readonly Currency[]>> =>
  getApp().pages.currencies(session),
)

export const loadBalances = cache((session: ActiveSession): Promise<Loaded<readonly Balance[]>> =>
  getApp().pages.balances(session),
)

/** The currency of the page, chosen by the same rule as in the browser. */
export async function chosenCurrency(session: ActiveSession, asked: string | string[] | undefined) {
  const [currencies, balances] = await Promise.all([loadCurrencies(session), loadBalances(session)])
  return pageCurrency(currencies, balances, typeof asked === 'string' ? asked : null)
}

export interface FlowPageProps {
  readonly params: Promise<{ readonly session: string }>
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>
}

/** "Deposit · Cashier" in the session's language; "Cashier" alone without an active session. */
export async function flowTitle(params: FlowPageProps['params'], flow: Flow): Promise<Metadata> {
  const { session: id } = await params
  const [loaded, { browserLocale }] = await Promise.all([loadSession(id), requestContext()])
  const locale = loaded.state === 'active' ? (loaded.session.locale ?? browserLocale) : browserLocale
  const { text } = createTranslator(await loadCatalogue(locale))
  return { title: loaded.state === 'active' ? `${text(`flow.${flow}`)} · ${text('shell.title')}` : text('shell.title') }
}
