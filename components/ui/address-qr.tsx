import { QRCodeSVG } from 'qrcode.react'

/** Four modules of quiet zone are what scanners are promised. */
const QUIET_MODULES = 4

/** The plain address as a QR code, drawn on the server. White paper in the dark theme too: scanners need it. */
export const AddressQr = ({ address }: { readonly address: string }) => (
  <QRCodeSVG
    value={address}
    level="M"
    size={240}
    marginSize={QUIET_MODULES}
    bgColor="#ffffff"
    fgColor="#0d1220"
    aria-hidden
    data-qr=""
    className="forced-color-adjust-none size-full"
  />
)
