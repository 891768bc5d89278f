'use client'

import { useState } from 'react'
import { Dialog } from '#components/ui/dialog.tsx'
import { Pill } from '#components/ui/tone.tsx'
import { linesReply, type LineResult } from '#lib/contract/operate/decide.ts'
import { recordHref } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'
import { CloseButton } from '../ui/dialog-buttons.tsx'
import { IdText } from '../ui/id-text.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { useReasonText } from '../ui/use-reason-text.ts'
import { DecidedBy } from './decided-by.tsx'
import { useDecide } from './use-decide.ts'

const TONES = { applied: 'ok', dismissed: 'ok', still_open: 'wait', proposed: 'wait', failed: 'bad' } as const

/** Applies or dismisses lines of the quarantine, one or many, and shows each line's own result. */
export function SettleLinesDialog({
  action,
  ids,
  onClose,
}: {
  readonly action: 'apply' | 'dismiss'
  readonly ids: readonly string[]
  /** @param done whether anything was settled */
  readonly onClose: (done: boolean) => void
}) {
  const { t } = useConsoleText()
  const decide = useDecide()
  const [results, setResults] = useState<readonly LineResult[] | null>(null)
  const title = t(`decide.lines.${action}`, { count: ids.length })
  if (results !== null) return <LineResults results={results} title={title} onClose={() => onClose(true)} />
  return (
    <ReasonDialog
      open
      title={title}
      act={t(`decide.act.${action}`)}
      onClose={() => onClose(false)}
      onAct={async (reason) => {
        const path = action === 'apply' ? 'quarantine/applications' : 'quarantine/dismissals'
        const { results: all } = await decide(path, { ids, reason }, linesReply)
        setResults(all)
      }}
      // Their results follow here.
      onDone={() => undefined}
    >
      <p className="text-s">{t(`decide.does.${action}`)}</p>
    </ReasonDialog>
  )
}

function LineResults({
  results,
  title,
  onClose,
}: {
  readonly results: readonly LineResult[]
  readonly title: string
  readonly onClose: () => void
}) {
  const { t } = useConsoleText()
  const reasonText = useReasonText()
  return (
    <Dialog open title={title} onClose={onClose}>
      <div className="grid gap-4 px-5 pt-2 pb-5">
        <ul className="grid gap-2 text-s" aria-label={t('decide.results')}>
          {results.map((line) => (
            <li key={line.id} className="grid gap-0.5">
              <span className="flex flex-wrap items-center gap-2">
                {t('decide.line')}{' '}
                <IdText id={line.id} name={t('decide.line')} href={recordHref('quarantine', line.id)} />
                <Pill tone={TONES[line.result]}>{t(`decide.result.${line.result}`)}</Pill>
              </span>
              {line.reason !== null && (
                <span className="text-ink-2">{t('decide.remains', { reason: reasonText(line.reason) })}</span>
              )}
              {line.detail !== null && <span>{line.detail}</span>}
              {line.settled_by !== null && line.settled_at !== null && (
                <span className="text-ink-2">
                  <DecidedBy did="settled" by={line.settled_by} at={line.settled_at} />
                </span>
              )}
            </li>
          ))}
        </ul>
        <CloseButton variant="primary" onClose={onClose}>
          {t('decide.close')}
        </CloseButton>
      </div>
    </Dialog>
  )
}
