'use client'

import { useState } from 'react'
import { copyText, type CopyOutcome } from '#lib/browser/copy-text.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'
import { useTranslations } from '../context/translations.tsx'
import { useAnnounce } from './announcer.tsx'

const COPIED_SHOWN_MS = 2500

export interface Copy {
  /** Of the last copy: `copied` for a moment; `selected` until the next copy, so that the user can read the message. */
  readonly outcome: CopyOutcome | null
  /** `shown` holds the text on the screen. */
  readonly copy: (text: string, shown: Element) => Promise<void>
}

/** Copies and announces the result. The caller shows `common.copySelected` if the browser refused. */
export function useCopy(copied: MessageKey): Copy {
  const { t } = useTranslations()
  const announce = useAnnounce()
  const [outcome, setOutcome] = useState<CopyOutcome | null>(null)
  return {
    outcome,
    copy: async (text, shown) => {
      const result = await copyText(text, shown, { clipboard: navigator.clipboard, document })
      setOutcome(result)
      announce(t(result === 'copied' ? copied : 'common.copySelected'))
      if (result === 'copied') setTimeout(() => setOutcome(null), COPIED_SHOWN_MS)
    },
  }
}
