'use client'

import { useRef } from 'react'
import { usesTags } from '#lib/addresses/tags.ts'
import type { DepositAddress } from '#lib/contract/cashier.ts'
import { useTranslations } from '../context/translations.tsx'
import { CopyButton, CopyRefused } from '../ui/copy-button.tsx'
import { Notice } from '../ui/tone.tsx'
import { useCopy } from '../ui/use-copy.ts'

/** The tag or memo of an address, or a note that it needs none. Renders nothing on networks without tags. */
export function DepositTag({
  deposit: { tag },
  network,
}: {
  readonly deposit: DepositAddress
  readonly network: string
}) {
  const { t, rich } = useTranslations()
  const textRef = useRef<HTMLElement>(null)
  const copy = useCopy('common.copied')
  if (tag === undefined)
    return usesTags(network) && <p className="text-center text-s text-ink-2">{t('deposit.tagNone')}</p>
  const name = t('deposit.tag')
  return (
    <div className="grid w-full grid-cols-[minmax(0,1fr)] gap-2">
      <dl className="text-center">
        <dt className="text-s text-ink-2">{name}</dt>
        <dd className="flex items-center justify-center gap-1">
          <bdi
            ref={textRef}
            dir="ltr"
            translate="no"
            data-testid="tag"
            className="min-w-0 font-mono font-bold [overflow-wrap:anywhere]"
          >
            {tag}
          </bdi>
          <CopyButton name={name} value={tag} textRef={textRef} copy={copy} />
        </dd>
      </dl>
      <CopyRefused copy={copy} className="text-center" />
      <Notice tone="wait">{rich('deposit.tagNeeded')}</Notice>
    </div>
  )
}
