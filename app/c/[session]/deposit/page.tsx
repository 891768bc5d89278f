import type { Metadata } from 'next'
import { DepositScreen } from '#components/deposit/deposit-screen.tsx'
import { FlowNotAllowed } from '#components/shell/flow-not-allowed.tsx'
import { AddressQr } from '#components/ui/address-qr.tsx'
import { getApp } from '#lib/server/runtime/app.ts'
import { chosenCurrency, flowTitle, sessionWith, type FlowPageProps } from '../opened.ts'

export const generateMetadata = ({ params }: FlowPageProps): Promise<Metadata> => flowTitle(params, 'deposit')

export default async function DepositPage({ params, searchParams }: FlowPageProps) {
  const { session: id } = await params
  const session = await sessionWith(id, 'deposit')
  if (session === null) return null
  if (session === 'not-allowed') return <FlowNotAllowed />
  const currency = await chosenCurrency(session, (await searchParams)['currency'])
  const known = currency && (await getApp().pages.knownDepositAddress(session, currency.id))
  return (
    <DepositScreen
      drawn={currency && known && { currencyId: currency.id, address: known }}
      qr={known && <AddressQr address={known.address} />}
    />
  )
}
