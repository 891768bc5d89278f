import type { ReactNode } from 'react'

/** The head of a page: its title, what it is about, and its acts. */
export function PageHead({
  title,
  about,
  actions,
}: {
  readonly title: ReactNode
  readonly about?: ReactNode
  readonly actions?: ReactNode
}) {
  return (
    <div className="mb-5 flex flex-wrap items-start gap-x-4 gap-y-3">
      <div className="min-w-0 grow">
        <h1 className="text-xl font-semibold">{title}</h1>
        {about !== undefined && <div className="mt-1 text-s text-ink-2">{about}</div>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  )
}
