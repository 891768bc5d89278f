'use client'

import { useEffect, useState } from 'react'
import { buttonClass } from '../ui/button.tsx'
import { StateScreen } from '../ui/problem.tsx'
import { useFrame } from './frame.tsx'
import { useWords } from './words.tsx'

/** A launch token lives five minutes; a link that is offered should still work when it is pressed. */
const LINK_LIVES_MS = 4 * 60_000

type Link = { readonly state: 'waiting' | 'failed' } | { readonly state: 'ready'; readonly token: string }

/**
 * The page came without its cookie. In the merchant's frame that means that the browser keeps none there, so a tab of
 * its own is offered; elsewhere this address was opened by itself.
 */
export function NoSession({ framed }: { readonly framed: boolean }) {
  const { t } = useWords()
  return (
    <main className="page px-5">
      {framed ? (
        <CookiesBlocked />
      ) : (
        <StateScreen
          heading="h1"
          testId="no-session"
          title={t('problem.noSession.title')}
          body={t('problem.noSession.body')}
        />
      )}
    </main>
  )
}

function CookiesBlocked() {
  const { t } = useWords()
  const frame = useFrame()
  const [link, setLink] = useState<Link>({ state: 'waiting' })
  useEffect(() => {
    if (!frame) return undefined
    const ask = () => frame.send({ type: 'fresh_token_wanted' })
    const stop = frame.listen((message) => {
      if (message.type === 'fresh_token') setLink({ state: 'ready', token: message.token })
      if (message.type === 'token_failed') setLink({ state: 'failed' })
    })
    ask()
    const timer = setInterval(ask, LINK_LIVES_MS)
    return () => {
      stop()
      clearInterval(timer)
    }
  }, [frame])
  return (
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
  )
}
