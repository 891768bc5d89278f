'use client'

import { useEffect } from 'react'
import { buttonClass } from '../ui/button.tsx'
import { StateScreen } from '../ui/problem-screen.tsx'
import { SupportLink } from '../ui/support-link.tsx'
import { useFrame, useInFrame } from './frame.tsx'
import { siteText } from '#lib/i18n/site-texts.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'
import { useTranslations } from '../context/translations.tsx'

/** In a frame the merchant's page starts a new session by itself; outside a frame there is a link back. */
export default function SessionEnded({
  supportUrl,
  returnUrl,
  merchantName,
}: {
  readonly supportUrl: string | null
  readonly returnUrl: string | null
  readonly merchantName?: string | undefined
}) {
  const { t } = useTranslations()
  const frame = useFrame()
  const inFrame = useInFrame()
  const about = (key: MessageKey): string => t(siteText(key, merchantName), { site: merchantName ?? '' })
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
            <p className="mt-2">
              {inFrame ? t('problem.sessionEnded.reopening') : about('problem.sessionEnded.again')}
            </p>
          </>
        }
      >
        {!inFrame && returnUrl !== null && (
          <a href={returnUrl} className={buttonClass('primary')}>
            {about('common.back')}
          </a>
        )}
        <SupportLink supportUrl={supportUrl} reference={null} />
      </StateScreen>
    </main>
  )
}
