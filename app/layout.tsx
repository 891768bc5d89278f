import type { Viewport } from 'next'
import type { ReactNode } from 'react'

/** Also beside a notch and below a home bar: what must not be there is kept away by app/globals.css. */
export const viewport: Viewport = { viewportFit: 'cover' }

/** Each page brings its own document (`document.tsx`), since language and theme are the session's. */
export default function RootLayout({ children }: { readonly children: ReactNode }) {
  return children
}
