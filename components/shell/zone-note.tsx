'use client'

import { useEffect } from 'react'

/** Notes the reader's time zone, so that the server's next first paint has its times. No secret; nothing needs it. */
export function ZoneNote() {
  useEffect(() => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    document.cookie = `cashier-zone=${timeZone}; Path=/; Max-Age=31536000; SameSite=None; Secure; Partitioned`
  }, [])
  return null
}
