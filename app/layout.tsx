import type { ReactNode } from 'react'

/** Each page brings its own document (`document.tsx`), since language and theme are the session's. */
export default function RootLayout({ children }: { readonly children: ReactNode }) {
  return children
}
