'use client'

import ChevronDown from 'lucide-react/icons/chevron-down'
import { useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode } from 'react'

/** A folded panel. Its content is rendered from the first opening on. */
export function Fold({
  title,
  testId,
  children,
}: {
  readonly title: string
  readonly testId: string
  readonly children: ReactNode
}) {
  const [opened, setOpened] = useState(false)
  const panel = useRef<HTMLDetailsElement>(null)
  const takeOver = useEffectEvent(() => {
    if (panel.current?.open === true) setOpened(true)
  })
  // The user may have opened it before hydration.
  useLayoutEffect(() => takeOver(), [])
  return (
    <details
      ref={panel}
      className="group rounded-card border border-line"
      data-testid={testId}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) setOpened(true)
      }}
    >
      <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-2 rounded-card px-3.5 py-2 text-s font-semibold [&::-webkit-details-marker]:hidden">
        <span className="min-w-0">{title}</span>
        <ChevronDown aria-hidden size={18} className="shrink-0 text-ink-2 group-open:rotate-180" />
      </summary>
      {opened && <div className="px-3.5 pb-3.5">{children}</div>}
    </details>
  )
}
