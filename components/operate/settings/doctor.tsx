'use client'

import { useMutation } from '@tanstack/react-query'
import { Button } from '#components/ui/button.tsx'
import { Pill } from '#components/ui/tone.tsx'
import type { Tone } from '#lib/browser/status-display.ts'
import { examinationAnswer, type ExaminationAnswer } from '#lib/contract/operate/settings.ts'
import { useConsoleClient } from '../context/client.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { ActFailure } from '../ui/reason-dialog.tsx'
import { TimeText } from '../ui/time-text.tsx'

type Found = ExaminationAnswer['findings'][number]

/** The checks call the gateway and the merchant, each with its own time limit. */
const TIMEOUT_MS = 120_000

const TONES: Readonly<Record<Found['level'], Tone>> = { ok: 'ok', note: 'wait', fault: 'bad' }
/** Faults first. */
const ORDER: Readonly<Record<Found['level'], number>> = { fault: 0, note: 1, ok: 2 }

/** The findings of `npm run doctor`, and a button that runs it. */
export function Doctor() {
  const { t } = useConsoleText()
  const client = useConsoleClient()
  const examination = useMutation({
    mutationFn: () => client.send('POST', 'examinations', undefined, examinationAnswer, TIMEOUT_MS),
  })
  const { data } = examination
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3" aria-busy={examination.isPending}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 grow">
          <h2 className="text-l font-semibold">{t('settings.doctor')}</h2>
          <p className="text-s text-ink-2">
            {data === undefined ? (
              t('settings.doctorAbout')
            ) : (
              <>
                {t('settings.examined')} <TimeText iso={data.examined_at} />
              </>
            )}
          </p>
        </div>
        <Button busy={examination.isPending} onClick={() => examination.mutate()}>
          {t(data === undefined ? 'settings.examine' : 'settings.examineAgain')}
        </Button>
      </div>
      <p role="status" className="sr-only">
        {examination.isPending && t('settings.examining')}
        {data !== undefined &&
          t('settings.faults', { count: data.findings.filter(({ level }) => level === 'fault').length })}
      </p>
      {examination.isError && <ActFailure error={examination.error} />}
      {data !== undefined && (
        <ul className="grid gap-3 rounded-card border border-line bg-surface p-4">
          {[...data.findings]
            .sort((a, b) => ORDER[a.level] - ORDER[b.level])
            .map((found) => (
              <li
                key={`${found.about} ${found.message}`}
                className="grid gap-1 sm:grid-cols-[5.5rem_minmax(0,1fr)] sm:gap-x-4"
              >
                <span>
                  <Pill tone={TONES[found.level]}>{t(`settings.${found.level}`)}</Pill>
                </span>
                <div className="min-w-0 text-s break-words">
                  <p>
                    <b className="font-semibold">{found.about}</b>: {found.message}
                  </p>
                  {found.fix !== undefined && <p className="text-ink-2">{t('settings.fix', { fix: found.fix })}</p>}
                </div>
              </li>
            ))}
        </ul>
      )}
    </section>
  )
}
