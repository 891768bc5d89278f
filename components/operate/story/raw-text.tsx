'use client'

import { useRef } from 'react'
import { CopyButton, CopyRefused } from '#components/ui/copy-button.tsx'
import { useCopy } from '#components/ui/use-copy.ts'
import { useConsoleText } from '../context/texts.tsx'

/** A text as it came, folded, with a button that copies it. */
export function RawText({ title, text }: { readonly title: string; readonly text: string }) {
  const { t } = useConsoleText()
  const shown = useRef<HTMLPreElement>(null)
  const copy = useCopy('common.copied')
  return (
    <details className="mt-1.5 rounded-small border border-line bg-bg text-s">
      <summary className="min-h-9 cursor-pointer px-3 py-1.5 text-ink-2">{title}</summary>
      <div className="flex items-start gap-1 border-t border-line ps-3">
        {text === '' ? (
          <p className="py-2 text-ink-2">{t('story.rawEmpty')}</p>
        ) : (
          <>
            <pre
              ref={shown}
              translate="no"
              tabIndex={0}
              aria-label={title}
              className="max-h-80 min-w-0 grow overflow-auto py-2 font-mono text-xs break-all whitespace-pre-wrap"
            >
              {text}
            </pre>
            <CopyButton name={title} value={text} textRef={shown} copy={copy} />
          </>
        )}
      </div>
      <CopyRefused copy={copy} className="px-3 pb-2" />
    </details>
  )
}
