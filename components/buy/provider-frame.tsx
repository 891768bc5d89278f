'use client'

import { useQuery } from '@tanstack/react-query'
import ExternalLink from 'lucide-react/icons/external-link'
import { useEffect, useRef, useState } from 'react'
import { isReturn } from '#lib/browser/onramp-return.ts'
import { purchaseOf, PURCHASES_QUERY } from '#lib/browser/purchases.ts'
import { transactionsQuery } from '#lib/browser/queries.ts'
import { STATUS_LOOKS } from '#lib/browser/transaction-status.ts'
import type { OnrampSession } from '#lib/contract/cashier.ts'
import { useLive } from '../shell/live.ts'
import { useBffClient } from '../shell/page-runtime.tsx'
import { useSession } from '../shell/session.tsx'
import { useWords } from '../shell/words.tsx'
import { Amount } from '../ui/amount.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { SupportLink } from '../ui/support-link.tsx'
import { Notice, Pill } from '../ui/tone.tsx'
import { PURCHASE_WORDS } from './purchase-words.ts'

/** What a provider's page needs to take a payment; it may not navigate the pages around it. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals'
const ALLOW = 'camera; microphone; payment; clipboard-write'

/** The provider's page, and above it what the gateway says of the purchase: only that counts. */
export default function ProviderFrame({
  session,
  code,
  onDone,
}: {
  readonly session: OnrampSession
  readonly code: string
  readonly onDone: () => void
}) {
  const { t } = useWords()
  const { supportUrl } = useSession()
  const frame = useRef<HTMLIFrameElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const returned = useReturned(frame)
  const { data } = useQuery(transactionsQuery(useBffClient(), PURCHASES_QUERY))
  const { status, amount } = purchaseOf(session.id, data, useLive())
  const look = STATUS_LOOKS.onramp[status]
  const over = look.settled || returned
  useEffect(() => title.current?.focus(), [over])

  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3.5" data-testid="purchase" data-status={status}>
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 ref={title} tabIndex={-1} className="text-l font-semibold outline-none">
          {amount === null ? t('buy.title', { code }) : <Amount value={amount} code={code} sign="+" />}
        </h2>
        <Pill tone={look.tone}>{t(look.word)}</Pill>
      </div>
      <Notice tone={look.tone === 'wait' ? 'plain' : look.tone}>
        <p>{t(PURCHASE_WORDS[status])}</p>
        {status === 'failed' && <SupportLink supportUrl={supportUrl} reference={session.id} />}
      </Notice>
      {over ? (
        <Button onClick={onDone}>{t('common.done')}</Button>
      ) : (
        <>
          <iframe
            ref={frame}
            src={session.link}
            title={t('buy.provider')}
            allow={ALLOW}
            sandbox={SANDBOX}
            referrerPolicy="no-referrer"
            className="h-175 min-h-[650px] w-full rounded-m border-0 bg-sunken"
          />
          <div className="flex flex-wrap gap-2.5">
            <Button className="flex-1" onClick={onDone}>
              {t('buy.leave')}
            </Button>
            <a
              href={session.link}
              target="_blank"
              rel="noopener noreferrer"
              className={buttonClass('plain', 'flex-1 text-center')}
            >
              {t('buy.newTab')}
              <ExternalLink aria-hidden size={16} />
            </a>
          </div>
        </>
      )}
    </section>
  )
}

/** True once our return page stands in the frame: the user is through, whatever came of it. */
function useReturned(frame: React.RefObject<HTMLIFrameElement | null>): boolean {
  const [returned, setReturned] = useState(false)
  useEffect(() => {
    const listen = (event: MessageEvent<unknown>): void => {
      if (isReturn(event, frame.current?.contentWindow ?? null, window.location.origin)) setReturned(true)
    }
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [frame])
  return returned
}
