'use client'

import { useQuery } from '@tanstack/react-query'
import ExternalLink from 'lucide-react/icons/external-link'
import { useEffect, useRef, useState } from 'react'
import { isReturnMessage } from '#lib/browser/onramp-return-message.ts'
import { purchaseOf, PURCHASES_QUERY } from '#lib/browser/purchases.ts'
import { transactionsPageQuery } from '#lib/browser/queries.ts'
import { STATUS_DISPLAY } from '#lib/browser/status-display.ts'
import type { CashierStatus, OnrampSession } from '#lib/contract/cashier.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'
import { useLiveTransactions } from '../shell/live-transactions.ts'
import { useBffClient } from '../shell/page-runtime.tsx'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { Amount } from '../ui/amount.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { SupportLink } from '../ui/support-link.tsx'
import { Notice, Pill } from '../ui/tone.tsx'

/** What a provider's page needs to take a payment. It may not navigate the pages around it. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals'
const ALLOW = 'camera; microphone; payment; clipboard-write'

/** What each status of a purchase means for the user's money. Only the gateway's reports count, not the provider's page. */
const PURCHASE_MESSAGES: Readonly<Record<CashierStatus, MessageKey>> = {
  pending: 'buy.state.pending',
  processing: 'buy.state.processing',
  awaiting_approval: 'buy.state.processing',
  unknown: 'buy.state.processing',
  other: 'buy.state.processing',
  succeeded: 'buy.state.succeeded',
  failed: 'buy.state.failed',
}

/** The provider's page, and above it the status of the purchase as the gateway reports it. */
export default function ProviderFrame({
  session,
  code,
  onDone,
}: {
  readonly session: OnrampSession
  readonly code: string
  readonly onDone: () => void
}) {
  const { t } = useTranslations()
  const { supportUrl } = useSession()
  const frame = useRef<HTMLIFrameElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const returned = useReturned(frame)
  const { data } = useQuery(transactionsPageQuery(useBffClient(), PURCHASES_QUERY))
  const { status, amount } = purchaseOf(session.id, data, useLiveTransactions())
  const display = STATUS_DISPLAY.onramp[status]
  const finished = display.settled || returned
  useEffect(() => title.current?.focus(), [finished])

  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3.5" data-testid="purchase" data-status={status}>
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 ref={title} tabIndex={-1} className="text-l font-semibold outline-none">
          {amount === null ? t('buy.title', { code }) : <Amount value={amount} code={code} sign="+" />}
        </h2>
        <Pill tone={display.tone}>{t(display.label)}</Pill>
      </div>
      <Notice tone={display.tone === 'wait' ? 'plain' : display.tone}>
        <p>{t(PURCHASE_MESSAGES[status])}</p>
        {status === 'failed' && <SupportLink supportUrl={supportUrl} reference={session.id} />}
      </Notice>
      {finished ? (
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

/** True once our return page is in the frame: the user has finished at the provider, with any result. */
function useReturned(frame: React.RefObject<HTMLIFrameElement | null>): boolean {
  const [returned, setReturned] = useState(false)
  useEffect(() => {
    const listen = (event: MessageEvent<unknown>): void => {
      if (isReturnMessage(event, frame.current?.contentWindow ?? null, window.location.origin)) setReturned(true)
    }
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [frame])
  return returned
}
