import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { DepositScreen } from '#components/deposit/deposit-screen.tsx'
import { FlowNotAllowed } from '#components/shell/flow-not-allowed.tsx'
import { AddressQr } from '#components/ui/address-qr.tsx'
import { keys } from '#lib/browser/queries.ts'
import { SESSION_DEPOSITS_QUERY } from '#lib/browser/session-deposits.ts'
import { getApp } from '#lib/server/runtime/app.ts'
import { chosenCurrency, flowTitle, loadSessionFor, type ActiveSession, type FlowPageProps } from '../load-session.ts'

export const generateMetadata = ({ params }: FlowPageProps): Promise<Metadata> => flowTitle(params, 'deposit')

export default async function DepositPage({ params, searchParams }: FlowPageProps) {
  const { session: id } = await params
  const session = await loadSessionFor(id, 'deposit')
  if (session === null) return null
  if (session === 'not-allowed') return <FlowNotAllowed />
  const [state, currency] = await Promise.all([
    dehydratedDeposits(session),
    chosenCurrency(session, (await searchParams)['currency']),
  ])
  const known = currency && (await getApp().pages.knownDepositAddress(session, currency.id))
  return (
    <HydrationBoundary state={state}>
      <DepositScreen
        rendered={currency && known && { currencyId: currency.id, address: known }}
        qr={known && <AddressQr address={known.address} />}
      />
    </HydrationBoundary>
  )
}

/** The address must not wait for a slow list of deposits: the page then fetches the list itself. */
const DEPOSITS_TIMEOUT_MS = 300

async function dehydratedDeposits(session: ActiveSession) {
  const cache = new QueryClient()
  let timer: ReturnType<typeof setTimeout> | undefined
  const deposits = await Promise.race([
    getApp().pages.transactions(session, new URLSearchParams(SESSION_DEPOSITS_QUERY)),
    new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), DEPOSITS_TIMEOUT_MS))),
  ])
  clearTimeout(timer)
  if (deposits?.ok) cache.setQueryData(keys.transactionsPage(SESSION_DEPOSITS_QUERY), deposits.data)
  return dehydrate(cache)
}
