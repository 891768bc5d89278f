'use client'

import { useEffect } from 'react'
import { buttonClass } from '../ui/button.tsx'
import { StateScreen } from '../ui/problem-screen.tsx'
import { SupportLink } from '../ui/support-link.tsx'
import { useFrame, useInFrame } from './frame.tsx'
import { useTranslations } from '../context/translations.tsx'

/** In a frame the merchant's page starts a new session by itself; outside a frame there is a link back. */
export default function SessionEnded({
  supportUrl,
  returnUrl,
}: {
  readonly supportUrl: string | null
  readonly returnUrl: string | null
}) {
  const { t } = useTranslations()
  const frame = useFrame()
  const inFrame = useInFrame()
  useEffect(() => frame?.send({ type: 'session_ended' }), [frame])
  return (
    <main className="page px-5">
      <StateScreen
        testId="session-ended"
        heading="h1"
        title={t('problem.sessionEnded.title')}
        body={
          <>
            <p>{t('problem.sessionEnded.body')}</p>
            <p className="mt-2">{t(inFrame ? 'problem.sessionEnded.reopening' : 'problem.sessionEnded.again')}</p>
          </>
        }
      >
        {!inFrame && returnUrl !== null && (
          <a href={returnUrl} className={buttonClass('primary')}>
            {t('common.back')}
          </a>
        )}
        <SupportLink supportUrl={supportUrl} reference={null} />
      </StateScreen>
    </main>
  )
}
