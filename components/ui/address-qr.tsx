import { QRCodeSVG } from 'qrcode.react'

/** The quiet zone that the QR standard requires. */
const QUIET_MODULES = 4

/** The address as a QR code: of the first page rendered on the server, and later in the browser. White background in the dark theme too: scanners need it. */
const AddressQr = ({ address }: { readonly address: string }) => (
  <QRCodeSVG
    value={address}
    level="M"
    size={240}
    marginSize={QUIET_MODULES}
    bgColor="#ffffff"
    fgColor="#0d1220"
    aria-hidden
    data-qr=""
    className="size-full rounded-small forced-color-adjust-none"
  />
)

export default AddressQr
