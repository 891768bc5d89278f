import type { ReactNode } from 'react'

/** Says that there is nothing, why, and what would be here. */
export function EmptyState({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <section className="rounded-card border border-line bg-surface px-5 py-8 text-center">
      <h2 className="font-semibold">{title}</h2>
      {children !== undefined && <div className="mx-auto mt-1 max-w-120 text-s text-ink-2">{children}</div>}
    </section>
  )
}
