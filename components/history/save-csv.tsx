'use client'

import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import type { HistoryView } from '#lib/browser/history-query.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { Button } from '../ui/button.tsx'
import { lazyCode } from '../ui/lazy-part.tsx'
import { PROBLEM_MESSAGES } from '../ui/problem-messages.ts'
import { problemDetails } from '../ui/problem-screen.tsx'
import { WholeEnd } from '../ui/whole-end.tsx'

const loadSaving = lazyCode(() =>
  Promise.all([import('#lib/browser/history-file.ts'), import('#lib/browser/save-file.ts')]),
)

type State = 'idle' | 'saving' | MessageKey

/** Saves the whole list with the view's filters, not only its page. */
export function SaveCsv({ view }: { readonly view: HistoryView }) {
  const { t, locale } = useTranslations()
  const { id: sessionId } = useSession()
  const [state, setState] = useState<State>('idle')
  const save = async (): Promise<void> => {
    setState('saving')
    const code = await loadSaving()
    if (code === null) {
      setState('problem.offline.body')
      return
    }
    const [{ fetchHistoryFile }, { saveFile }] = code
    try {
      saveFile(await fetchHistoryFile({ sessionId, view, locale }), 'transactions.csv')
      setState('idle')
    } catch (error) {
      setState(PROBLEM_MESSAGES[problemDetails(error).code].body)
    }
  }
  const hasFailed = state !== 'idle' && state !== 'saving'
  return (
    <p className="shown-whole flex flex-wrap items-center justify-center gap-x-3 text-center text-s text-ink-2">
      <Button variant="quiet" busy={state === 'saving'} onClick={() => void save()} data-testid="save-csv">
        <Download aria-hidden size={16} />
        <span>{t('history.csv')}</span>
      </Button>
      <span role={hasFailed ? 'alert' : undefined}>{t(hasFailed ? state : 'history.csvNote')}</span>
      <WholeEnd />
    </p>
  )
}
