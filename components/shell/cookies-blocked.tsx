'use client'

import { useEffect, useState } from 'react'
import { buttonClass } from '../ui/button.tsx'
import { StateScreen } from '../ui/problem-screen.tsx'
import { useFrame } from './frame.tsx'
import { useTranslations } from '../context/translations.tsx'

/** A launch token is valid for five minutes; the link is renewed before that. */
const LINK_RENEWAL_MS = 4 * 60_000

type Link = { readonly state: 'waiting' | 'failed' } | { readonly state: 'ready'; readonly token: string }

/** The request from a frame had no session cookie: the browser blocks it, so a new tab is offered. */
export function CookiesBlocked() {
  const { t } = useTranslations()
  const frame = useFrame()
  const [link, setLink] = useState<Link>({ state: 'waiting' })
  useEffect(() => {
    if (!frame) return undefined
    const requestToken = () => frame.send({ type: 'fresh_token_wanted' })
    const stop = frame.listen((message) => {
      if (message.type === 'fresh_token') setLink({ state: 'ready', token: message.token })
      if (message.type === 'token_failed') setLink({ state: 'failed' })
    })
    requestToken()
    const timer = setInterval(requestToken, LINK_RENEWAL_MS)
    return () => {
      stop()
      clearInterval(timer)
    }
  }, [frame])
  return (
    <main className="page px-5">
      <StateScreen
        testId="cookies-blocked"
        heading="h1"
        tone="wait"
        title={t('problem.cookies.title')}
        body={t('problem.cookies.body')}
      >
        {link.state === 'ready' ? (
          <a
            href={`/launch?token=${encodeURIComponent(link.token)}`}
            target="_blank"
            rel="noopener"
            onClick={() => setLink({ state: 'waiting' })}
            className={buttonClass('primary')}
          >
            {t('problem.cookies.open')}
          </a>
        ) : (
          <p role="status" className="text-s text-ink-2">
            {t(link.state === 'waiting' ? 'problem.cookies.waiting' : 'problem.cookies.failed')}
          </p>
        )}
      </StateScreen>
    </main>
  )
}
