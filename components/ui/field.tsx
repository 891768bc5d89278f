import type { ReactNode } from 'react'
import { WholeEnd } from './whole-end.tsx'

/** A labelled input with a hint or an error message below it. The message is linked to the input and announced. */
export function Field({
  id,
  label,
  fault,
  hint,
  children,
}: {
  readonly id: string
  readonly label: string
  readonly fault: ReactNode
  readonly hint?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <label htmlFor={id} className="text-s font-semibold">
        {label}
      </label>
      <div
        className={`shown-whole flex flex-wrap items-center justify-end gap-2.5 rounded-card border bg-surface px-3.5 py-0.5 focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent ${fault ? 'border-bad' : 'border-field'}`}
      >
        {children}
        <WholeEnd />
      </div>
      <div id={`${id}-note`} aria-live="polite" className="min-h-5 text-s text-ink-2">
        {fault ? <span className="text-bad">{fault}</span> : hint}
      </div>
    </div>
  )
}

export const fieldInput =
  'min-h-11 min-w-0 grow basis-[7rem] bg-transparent text-ink outline-none placeholder:text-ink-3 rtl:text-right'
