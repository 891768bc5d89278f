'use client'

import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useRef, useState, type ReactNode } from 'react'
import { copyText } from '#lib/browser/copy-text.ts'
import { useTranslations } from '../context/translations.tsx'
import { AddressText } from '../ui/address-text.tsx'
import { useAnnounce } from '../ui/announcer.tsx'

export const PlainField = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt className="text-s text-ink-2">{name}</dt>
    <dd className="font-medium">{children}</dd>
  </div>
)

/** A value with a copy button. Renders nothing where there is no value. */
export function DetailField({
  name,
  value,
  grouped = false,
}: {
  readonly name: string
  readonly value: string | null
  readonly grouped?: boolean
}) {
  const { t } = useTranslations()
  const announce = useAnnounce()
  const textRef = useRef<HTMLElement>(null)
  const [copied, setCopied] = useState(false)
  if (value === null || value === '') return null
  const copy = async (): Promise<void> => {
    if (!textRef.current) return
    const outcome = await copyText(value, textRef.current, { clipboard: navigator.clipboard, document })
    setCopied(outcome === 'copied')
    announce(t(outcome === 'copied' ? 'common.copied' : 'common.copySelected'))
  }
  return (
    <div>
      <dt className="text-s text-ink-2">{name}</dt>
      <dd className="flex items-start gap-1 text-s">
        <div className="min-w-0 grow">
          {grouped ? (
            <AddressText address={value} ref={textRef} className="-ms-[0.3ch]" />
          ) : (
            <bdi dir="ltr" ref={textRef} className="font-mono break-all">
              {value}
            </bdi>
          )}
        </div>
        <button
          type="button"
          aria-label={t('details.copyField', { field: name })}
          onClick={() => void copy()}
          className="-my-1.5 grid size-9 shrink-0 place-items-center rounded-small text-ink-2 hover:bg-sunken"
        >
          {copied ? <Check aria-hidden size={16} className="text-ok" /> : <Copy aria-hidden size={16} />}
        </button>
      </dd>
    </div>
  )
}
