'use client'

import { useRef } from 'react'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { useCopy } from '#components/ui/use-copy.ts'
import { ConsoleLink } from '../context/address.tsx'

const shortened = (id: string, short: boolean | 'address'): string => {
  if (short === 'address') return id.length > 16 ? `${id.slice(0, 6)}…${id.slice(-6)}` : id
  return short ? id.slice(0, 8) : id
}

/**
 * An id with a button that copies it, as a link if it has a page. A long one may break anywhere, but a table must not
 * make its column so narrow that it becomes a column of letters.
 */
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
  /** Shows the first eight characters only; of an address its beginning and its end, which tell look-alikes apart. */
  readonly short?: boolean | 'address'
}) {
  const text = useRef<HTMLElement>(null)
  const copy = useCopy('common.copied')
  const shown = (
    <code
      ref={text}
      translate="no"
      className={`font-mono text-s ${short || id.length <= 20 ? 'whitespace-nowrap' : 'min-w-[14ch] break-all'}`}
      title={short ? id : undefined}
    >
      {shortened(id, short)}
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
