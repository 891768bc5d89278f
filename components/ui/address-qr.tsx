import { QRCodeSVG } from 'qrcode.react'
import { scannedAddress } from '#lib/addresses/tags.ts'
import type { DepositAddress } from '#lib/contract/cashier.ts'

/** The quiet zone that the QR standard requires. */
const QUIET_MODULES = 4

/**
 * The address as a QR code, as large as its parent element. The server renders the first code, the browser all others.
 * The background is white in the dark theme too, because scanners need it.
 */
const AddressQr = ({ address: { address, currency, tag } }: { readonly address: DepositAddress }) => (
  <QRCodeSVG
    value={scannedAddress(currency, { address, tag: tag ?? null })}
    level="M"
    marginSize={QUIET_MODULES}
    bgColor="#ffffff"
    fgColor="#0d1220"
    aria-hidden
    data-qr=""
    className="size-full rounded-small forced-color-adjust-none"
  />
)

export default AddressQr
