import type { Viewport } from 'next'
import type { ReactNode } from 'react'

/** The page also fills the area beside a notch and below a home bar; app/globals.css keeps content out of it. */
export const viewport: Viewport = { viewportFit: 'cover' }

/** Each page renders its own document (`document.tsx`), because language and theme depend on the session. */
export default function RootLayout({ children }: { readonly children: ReactNode }) {
  return children
}
