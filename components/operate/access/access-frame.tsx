import KeyRound from 'lucide-react/icons/key-round'
import type { ReactNode } from 'react'

/** The frame of the pages that need nobody to be signed in. */
export function AccessFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <main className="mx-auto grid min-h-dvh max-w-110 content-start px-4 pt-10 pb-16 sm:content-center sm:pt-16">
      <div className="grid gap-4 rounded-card border border-line bg-surface p-5 shadow-(--shadow) sm:p-7">
        <KeyRound aria-hidden size={24} className="text-accent" />
        <h1 className="text-xl font-semibold">{title}</h1>
        {children}
      </div>
    </main>
  )
}
