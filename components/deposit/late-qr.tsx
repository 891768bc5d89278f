'use client'

import { useEffect, useEffectEvent } from 'react'
import type { Currency, DepositAddress } from '#lib/contract/cashier.ts'
import AddressQr from '../ui/address-qr.tsx'
import { walletUri } from './wallet-uri.ts'

/** What the server renders with the first address, for all other addresses: the QR code and the link for wallets. */
export default function LateQr({
  currency,
  address,
  onUri,
}: {
  readonly currency: Currency
  readonly address: DepositAddress
  readonly onUri: (uri: string | null) => void
}) {
  const uri = walletUri(currency, address)
  const report = useEffectEvent(onUri)
  useEffect(() => report(uri), [uri])
  return <AddressQr address={address} />
}
