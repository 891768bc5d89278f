import { useId, type ReactNode } from 'react'

/** A part of the page of a user. */
export function Panel({
  title,
  actions,
  children,
}: {
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-card border border-line bg-surface px-4 py-3.5">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {actions}
      </div>
      <div className="mt-2 text-s">{children}</div>
    </section>
  )
}

/** What a part says when it has nothing. */
export function Nothing({ children }: { readonly children: ReactNode }) {
  return <p className="text-ink-2">{children}</p>
}
