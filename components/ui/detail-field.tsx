'use client'

import { useRef, type ReactNode } from 'react'
import { AddressText } from './address-text.tsx'
import { CopyButton, CopyRefused } from './copy-button.tsx'
import { ReferenceText } from './reference-text.tsx'
import { useCopy } from './use-copy.ts'

export const PlainField = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt className="text-s text-ink-2">{name}</dt>
    <dd className="font-medium">{children}</dd>
  </div>
)

/** A value with a copy button. Renders nothing without a value. */
export function DetailField({
  name,
  value,
  grouped = false,
}: {
  readonly name: string
  readonly value: string | null
  readonly grouped?: boolean
}) {
  const textRef = useRef<HTMLElement>(null)
  const copy = useCopy('common.copied')
  if (value === null || value === '') return null
  return (
    <div>
      <dt className="text-s text-ink-2">{name}</dt>
      <dd className="text-s">
        <div className="flex items-start gap-1">
          <div className="min-w-0 grow">
            {grouped ? <AddressText address={value} ref={textRef} /> : <ReferenceText value={value} ref={textRef} />}
          </div>
          <CopyButton name={name} value={value} textRef={textRef} copy={copy} />
        </div>
        <CopyRefused copy={copy} />
      </dd>
    </div>
  )
}
