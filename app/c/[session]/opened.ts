import type { Metadata } from 'next'
import { cache } from 'react'
import type { Balance, Currency, Flow } from '#lib/contract/cashier.ts'
import { chooseCurrency } from '#lib/browser/chosen-currency.ts'
import { loadCatalogue } from '#lib/i18n/catalogue.ts'
import { createTranslator } from '#lib/i18n/translator.ts'
import { getApp, type Loaded, type PageSession } from '#lib/server/runtime/app.ts'
import { requestFacts } from '../../request-facts.ts'

export type ActiveSession = Extract<PageSession, { state: 'active' }>['session']

type Opened = PageSession & { readonly streamHead: string | null }

/**
 * Whose page this is, and where their stream stands. Each page asks for itself; within one request it is found out
 * once, and before anything else is read: so what the stream tells from there on is all that the page may have missed.
 */
export const openSession = cache(async (id: string): Promise<Opened> => {
  const { cookie } = await requestFacts()
  const { pages } = getApp()
  const opened = await pages.session(id, cookie)
  return { ...opened, streamHead: opened.state === 'active' ? await pages.streamHead(opened.session) : null }
})

/** The session, where it is active and has the flow. `null`: the layout or the page says why there is nothing. */
export async function sessionWith(id: string, flow: Flow): Promise<ActiveSession | 'not-allowed' | null> {
  const opened = await openSession(id)
  if (opened.state !== 'active') return null
  return opened.session.flows.includes(flow) ? opened.session : 'not-allowed'
}

export const loadCurrencies = cache((session: ActiveSession): Promise<Loaded<readonly Currency[]>> =>
  getApp().pages.currencies(session),
)

/** No rows where the merchant keeps the books. */
export const loadBalances = cache(async (session: ActiveSession): Promise<Loaded<readonly Balance[]>> => {
  const { pages } = getApp()
  return pages.settings.books === 'ledger' ? pages.balances(session) : { ok: true, data: [] }
})

/** The currency that the page is about, chosen as the browser will. */
export async function chosenCurrency(session: ActiveSession, asked: string | string[] | undefined) {
  const [currencies, balances] = await Promise.all([loadCurrencies(session), loadBalances(session)])
  if (!currencies.ok) return null
  return chooseCurrency(currencies.data, balances.ok ? balances.data : [], typeof asked === 'string' ? asked : null)
}

export interface FlowPageProps {
  readonly params: Promise<{ readonly session: string }>
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>
}

/** "Deposit · Cashier" in the session's language; a bare title to whom the session is not. */
export async function flowTitle(params: FlowPageProps['params'], flow: Flow): Promise<Metadata> {
  const { session: id } = await params
  const [opened, { browserLocale }] = await Promise.all([openSession(id), requestFacts()])
  const locale = opened.state === 'active' ? (opened.session.locale ?? browserLocale) : browserLocale
  const { text } = createTranslator(await loadCatalogue(locale))
  return { title: opened.state === 'active' ? `${text(`flow.${flow}`)} · ${text('shell.title')}` : text('shell.title') }
}
