'use client'

import { useQuery } from '@tanstack/react-query'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ExternalLink from 'lucide-react/icons/external-link'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isReturnMessage } from '#lib/browser/onramp-return-message.ts'
import { providerPermissions } from '#lib/browser/provider-permissions.ts'
import { purchaseOf, PURCHASES_QUERY } from '#lib/browser/purchases.ts'
import { transactionsPageQuery } from '#lib/browser/queries.ts'
import { STATUS_DISPLAY } from '#lib/browser/status-display.ts'
import type { CashierStatus, StartedOnramp } from '#lib/contract/cashier.ts'
import { withoutTrailingZeros } from '#lib/i18n/short-decimal.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'
import { useDraft } from '../shell/use-draft.tsx'
import { useLiveTransactions } from '../shell/use-live-transactions.ts'
import { useBffClient } from '../context/page-runtime.tsx'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { Amount } from '../ui/amount.tsx'
import { useAnnounce } from '../ui/announcer.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { focusStart } from '../ui/focus.ts'
import { SupportLink } from '../ui/support-link.tsx'
import { useTimeText } from '../ui/time.tsx'
import { Notice, Pill } from '../ui/tone.tsx'
import { useIsPast } from '../ui/use-is-past.ts'
import { BLANK_PURCHASE, PAID } from './buy-draft.ts'

/** What a provider's page needs to take a payment. It must not navigate the pages around it. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals'

/**
 * What each status of a purchase means for the user's money. Only the gateway's reports count, not the provider's page.
 */
const PURCHASE_MESSAGES: Readonly<Record<CashierStatus, MessageKey>> = {
  pending: 'buy.state.pending',
  processing: 'buy.state.processing',
  awaiting_approval: 'buy.state.processing',
  unknown: 'buy.state.processing',
  other: 'buy.state.processing',
  succeeded: 'buy.state.succeeded',
  failed: 'buy.state.failed',
}

const messageOf = ({ wallet_address, reported }: StartedOnramp, status: CashierStatus): MessageKey => {
  if (reported === false) return 'buy.state.unreported'
  return wallet_address !== null && status === 'succeeded' ? 'buy.state.succeededOwn' : PURCHASE_MESSAGES[status]
}

/** The gateway says that the user has paid. */
const isPaid = (status: CashierStatus): boolean => status !== 'pending' && status !== 'failed'

/** The provider's page, and above it the status of the purchase as the gateway reports it. */
export function ProviderFrame({ session, onDone }: { readonly session: StartedOnramp; readonly onDone: () => void }) {
  const { t } = useTranslations()
  const { supportUrl, onrampOrigins } = useSession()
  const { currency: code } = session
  const time = useTimeText()
  const frame = useRef<HTMLIFrameElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const returned = useReturned(frame)
  const { data } = useQuery(transactionsPageQuery(useBffClient(), PURCHASES_QUERY))
  const { status, amount } = purchaseOf(session, data, useLiveTransactions())
  const display = STATUS_DISPLAY.onramp[status]
  // By the user's clock, which may be wrong, so the provider's page stays and may still accept a payment.
  const expired = useIsPast(session.expires_at) && status === 'pending'
  const finished = display.settled || returned
  const paid = isPaid(status)
  const [unfolded, setUnfolded] = useState(false)
  const [, changeDraft] = useDraft(BLANK_PURCHASE)
  useEffect(() => {
    if (paid) changeDraft(PAID)
  }, [paid, changeDraft])
  useEffect(() => focusStart(title.current), [finished, paid])
  const announce = useAnnounce()
  const announceExpiry = useEffectEvent(() => announce(t('buy.state.expired')))
  useEffect(() => {
    if (expired) announceExpiry()
  }, [expired])

  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3.5" data-testid="purchase" data-status={status}>
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 ref={title} tabIndex={-1} className="text-l font-semibold outline-none">
          {amount === null ? (
            t('buy.title', { code })
          ) : (
            <Amount value={withoutTrailingZeros(amount)} code={code} sign="+" />
          )}
        </h2>
        {session.reported !== false && <Pill tone={display.tone}>{t(display.label)}</Pill>}
      </div>
      <Notice tone={expired ? 'wait' : display.tone === 'wait' ? 'plain' : display.tone}>
        <p>{t(expired ? 'buy.state.expired' : messageOf(session, status))}</p>
        {status === 'pending' && !expired && !returned && session.expires_at !== null && (
          <p className="mt-1" data-testid="link-expires">
            {t('buy.expires', { time: time(session.expires_at, 'date-time') })}
          </p>
        )}
        {status === 'failed' && <SupportLink supportUrl={supportUrl} reference={session.id} />}
      </Notice>
      {finished ? (
        <Button variant={status === 'failed' ? 'primary' : 'plain'} onClick={onDone}>
          {t(status === 'failed' ? 'buy.again' : 'common.done')}
        </Button>
      ) : (
        <>
          {paid && (
            <Button
              aria-expanded={unfolded}
              onClick={() => {
                setUnfolded(!unfolded)
              }}
            >
              <span>{t('buy.provider')}</span>
              <ChevronDown aria-hidden size={16} className={unfolded ? 'rotate-180' : ''} />
            </Button>
          )}
          {/* Hidden, not removed: the provider's page may still ask for something or show a receipt. */}
          <iframe
            hidden={paid && !unfolded}
            ref={frame}
            src={session.link}
            title={t('buy.provider')}
            allow={providerPermissions(onrampOrigins)}
            sandbox={SANDBOX}
            referrerPolicy="no-referrer"
            // Without the page's padding on a phone, because the provider's page needs the width.
            className="h-175 min-h-[650px] w-full border-0 bg-sunken max-[40rem]:-mx-5 max-[40rem]:w-[calc(100%+var(--space)*10)] min-[40rem]:rounded-card"
          />
          <div className="flex flex-wrap gap-2.5">
            <Button variant={expired || paid ? 'primary' : 'plain'} className="max-w-full flex-auto" onClick={onDone}>
              {t(paid ? 'common.done' : expired ? 'buy.again' : 'buy.leave')}
            </Button>
            {!expired && !paid && (
              <a
                href={session.link}
                target="_blank"
                rel="noopener noreferrer"
                className={buttonClass('plain', 'max-w-full flex-auto')}
              >
                <span>{t('buy.newTab')}</span>
                <ExternalLink aria-hidden size={16} />
              </a>
            )}
          </div>
        </>
      )}
    </section>
  )
}

/** True once the frame shows our return page: the user has finished at the provider, with any result. */
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
