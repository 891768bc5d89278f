'use client'

import { useRef } from 'react'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { useCopy } from '#components/ui/use-copy.ts'
import { ConsoleLink } from '../context/address.tsx'

/** An id with a button that copies it, as a link if it has a page. */
export function IdText({
  id,
  name,
  href,
  short = false,
}: {
  readonly id: string
  /** What the id is, for the copy button's label. */
  readonly name: string
  readonly href?: string
  /** Shows the first eight characters only. */
  readonly short?: boolean
}) {
  const text = useRef<HTMLElement>(null)
  const copy = useCopy('common.copied')
  const shown = (
    <code
      ref={text}
      translate="no"
      className={`font-mono text-s ${short ? 'whitespace-nowrap' : 'break-all'}`}
      title={short ? id : undefined}
    >
      {short ? id.slice(0, 8) : id}
    </code>
  )
  return (
    <span className="inline-flex max-w-full items-center gap-0.5">
      {href === undefined ? (
        shown
      ) : (
        <ConsoleLink
          href={href}
          className="inline-flex min-h-6 min-w-6 items-center text-accent underline-offset-2 hover:underline"
        >
          {shown}
        </ConsoleLink>
      )}
      <CopyButton name={name} value={id} textRef={text} copy={copy} />
    </span>
  )
}
