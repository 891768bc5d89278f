'use client'

import ExternalLink from 'lucide-react/icons/external-link'
import { useState } from 'react'
import { requestDepositLink } from '#lib/browser/queries.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import { useTranslations } from '../context/translations.tsx'
import { useBffClient } from '../context/page-runtime.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'

/** Requests a page on which the user deposits from another wallet, shows its host, and opens it in a new tab. */
export function WalletLink({ currency }: { readonly currency: Pick<Currency, 'id'> }) {
  const { t } = useTranslations()
  const client = useBffClient()
  const [asking, setAsking] = useState(false)
  const [link, setLink] = useState<URL | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const ask = async (): Promise<void> => {
    setAsking(true)
    setFailure(null)
    try {
      setLink(new URL((await requestDepositLink(client, currency.id)).link))
    } catch (error) {
      setFailure(error)
    } finally {
      setAsking(false)
    }
  }
  if (link)
    return (
      <div className="grid w-full grid-cols-[minmax(0,1fr)] gap-2 pt-1" data-testid="wallet-link">
        <p className="text-s text-ink-2 [overflow-wrap:anywhere]">{t('deposit.walletSite', { host: link.host })}</p>
        <a
          href={link.href}
          target="_blank"
          rel="noopener noreferrer"
          // A link works once.
          onClick={() => setLink(null)}
          className={buttonClass('plain', '[overflow-wrap:anywhere]')}
        >
          <span className="min-w-0">{t('deposit.openWallet', { host: link.host })}</span>
          <ExternalLink aria-hidden size={16} className="shrink-0" />
          <span className="sr-only">{t('common.newTab')}</span>
        </a>
      </div>
    )
  return (
    <div className="grid w-full grid-cols-[minmax(0,1fr)] gap-2">
      <Button className="w-full" busy={asking} onClick={() => void ask()}>
        {t('deposit.fromWallet')}
      </Button>
      {failure !== null && <FailureNotice error={failure} />}
    </div>
  )
}
