import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { DepositScreen } from '#components/deposit/deposit-screen.tsx'
import type { RenderedAddress } from '#components/deposit/address-card.tsx'
import { walletUri } from '#components/deposit/wallet-uri.ts'
import { FlowNotAllowed, SessionLost } from '#components/shell/no-flow.tsx'
import AddressQr from '#components/ui/address-qr.tsx'
import { currencyMeaning, keys } from '#lib/browser/queries.ts'
import { failureCode } from '#lib/browser/request-failure.ts'
import { SESSION_DEPOSITS_QUERY } from '#lib/browser/session-deposits.ts'
import type { TransactionsPage } from '#lib/contract/cashier.ts'
import { getApp, type Loaded } from '#lib/server/runtime/app.ts'
import { forFirstAnswer } from '../first-answer.ts'
import { chosenCurrency, flowTitle, loadSessionFor, type ActiveSession, type FlowPageProps } from '../load-session.ts'

export const generateMetadata = ({ params }: FlowPageProps): Promise<Metadata> => flowTitle(params, 'deposit')

export default async function DepositPage({ params, searchParams }: FlowPageProps) {
  const [{ session: id }, { currency }] = await Promise.all([params, searchParams])
  const session = await loadSessionFor(id, 'deposit')
  if (session === null) return <SessionLost />
  if (session === 'not-allowed') return <FlowNotAllowed />
  const deposits = sessionDeposits(session)
  const { is: address } = await forFirstAnswer(renderedAddress(session, currency), NO_ADDRESS)
  return (
    <HydrationBoundary state={dehydrate(await deposits())}>
      <DepositScreen address={address} />
    </HydrationBoundary>
  )
}

const NO_ADDRESS: RenderedAddress = { meaning: null }

/** The deposit address for the page's currency, with its QR code. Creates the address if the user has none yet. */
async function renderedAddress(
  session: ActiveSession,
  requested: string | string[] | undefined,
): Promise<RenderedAddress> {
  const currency = await chosenCurrency(session, requested)
  if (!currency) return NO_ADDRESS
  const meaning = currencyMeaning(currency)
  const address = await getApp().pages.depositAddress(session, currency.id)
  return address.ok
    ? {
        meaning,
        address: address.data,
        qr: <AddressQr address={address.data} />,
        uri: walletUri(currency, address.data),
      }
    : { meaning, failure: { code: failureCode(address.code), requestId: address.request_id } }
}

/** Starts to load the deposits, so that the address does not wait for them. The page fetches a list that is late. */
function sessionDeposits(session: ActiveSession): () => Promise<QueryClient> {
  const cache = new QueryClient()
  const keep = (deposits: Loaded<TransactionsPage>): void => {
    if (deposits.ok) cache.setQueryData(keys.transactionsPage(SESSION_DEPOSITS_QUERY), deposits.data)
  }
  const kept = getApp().pages.transactions(session, new URLSearchParams(SESSION_DEPOSITS_QUERY)).then(keep)
  return async () => {
    await Promise.race([kept, new Promise((resolve) => setTimeout(resolve, DEPOSITS_MS))])
    return cache
  }
}

/** How long to wait for the deposits after the address is ready or late. */
const DEPOSITS_MS = 20
