/**
 * The peer of bench/page.ts: a page without server rendering. It lists currencies, fetches the address and draws its QR
 * code.
 */
import { QRCodeSVG } from 'qrcode.react'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

interface Currency {
  readonly id: string
  readonly currency_code: string
  readonly network: string
}

async function call<T>(path: string, init: RequestInit = {}): Promise<T> {
  return (await (await fetch(path, init)).json()) as T
}

function Deposit() {
  const [currencies, setCurrencies] = useState<readonly Currency[]>([])
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    void (async () => {
      const { currencies: list } = await call<{ currencies: readonly Currency[] }>('/currencies')
      setCurrencies(list)
      const body = JSON.stringify({ currency_id: list[0]?.id })
      setAddress((await call<{ address: string }>('/deposit-addresses', { method: 'POST', body })).address)
    })()
  }, [])
  return (
    <main>
      <h1>Deposit</h1>
      <select>
        {currencies.map(({ id, currency_code, network }) => (
          <option key={id}>{`${currency_code} ${network}`}</option>
        ))}
      </select>
      <div className="code">{address !== null && <QRCodeSVG value={address} level="M" size={240} data-qr="" />}</div>
      <p>{address ?? '…'}</p>
      <button
        type="button"
        disabled={address === null}
        onClick={() => void navigator.clipboard.writeText(address ?? '')}
      >
        Copy
      </button>
    </main>
  )
}

const root = document.getElementById('root')
if (root) createRoot(root).render(<Deposit />)
