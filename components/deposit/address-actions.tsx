'use client'

import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import Download from 'lucide-react/icons/download'
import ExternalLink from 'lucide-react/icons/external-link'
import Share from 'lucide-react/icons/share'
import { useState, type RefObject } from 'react'
import type { Currency, DepositAddress } from '#lib/contract/cashier.ts'
import { useTranslations } from '../context/translations.tsx'
import { useAnnounce } from '../ui/announcer.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { CopyRefused } from '../ui/copy-button.tsx'
import { lazyCode } from '../ui/lazy-part.tsx'
import { useMayShare } from '../ui/use-permitted.ts'
import { useCopy } from '../ui/use-copy.ts'
import { WholeEnd } from '../ui/whole-end.tsx'

const loadSaving = lazyCode(() => import('#lib/browser/save-file.ts'))

/**
 * Copy, open a wallet (on phones), share (if the device can), save the QR code. `uri` is for wallets; null for none.
 * `textRef` holds the address; `qrRef` is null without a QR code.
 */
export function AddressActions({
  deposit,
  currency,
  uri,
  textRef,
  qrRef,
}: {
  readonly deposit: DepositAddress | undefined
  readonly currency: Currency
  readonly uri: string | null
  readonly textRef: RefObject<HTMLElement | null>
  readonly qrRef: RefObject<HTMLElement | null> | null
}) {
  const { t } = useTranslations()
  const announce = useAnnounce()
  const copying = useCopy('deposit.copied')
  const canShare = useMayShare()
  /** Why the last picture was not saved: its code did not load, or the browser refused to draw it. */
  const [unsaved, setUnsaved] = useState<'offline' | 'other' | null>(null)

  const address = deposit?.address

  const share = async (): Promise<void> => {
    const title = t('deposit.address', { code: currency.currency_code, network: currency.network })
    // `share` also rejects when the user closes the share sheet.
    const tag = deposit?.tag === undefined ? '' : `\n${t('deposit.tag')}: ${deposit.tag}`
    await navigator.share({ title, text: `${address ?? ''}${tag}` }).catch(() => undefined)
  }
  const save = async (): Promise<void> => {
    const svg = qrRef?.current?.querySelector('svg')
    if (!svg) return
    const code = await loadSaving()
    const fileName = `${currency.currency_code}-${currency.network}-address.png`
    const saved = await code?.savePng(svg, fileName).then(
      () => true,
      () => false,
    )
    setUnsaved(saved === undefined ? 'offline' : saved ? null : 'other')
    if (saved) announce(t('deposit.saved'))
  }

  return (
    <>
      <div className="shown-whole flex w-full flex-wrap gap-2.5">
        <Button
          variant="primary"
          className="max-w-full min-w-0 grow basis-[8.25rem]"
          disabled={address === undefined}
          data-testid="copy-address"
          data-copy={address}
          data-copied-text={t('deposit.copied')}
          onClick={() => {
            if (address !== undefined && textRef.current) void copying.copy(address, textRef.current)
          }}
        >
          {copying.outcome === 'copied' ? <Check aria-hidden size={18} /> : <Copy aria-hidden size={18} />}
          <span>{t(copying.outcome === 'copied' ? 'deposit.copied' : 'deposit.copy')}</span>
        </Button>
        {uri !== null && (
          // In a tab of its own: a browser without such a wallet may show an error in place of the page.
          <a
            href={uri}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={t('deposit.openInWallet')}
            className={buttonClass('plain', 'w-12 shrink-0 !px-0 pointer-fine:hidden')}
          >
            <ExternalLink aria-hidden size={18} />
          </a>
        )}
        {canShare && (
          <Button
            className="w-12 shrink-0 !px-0"
            aria-label={t('deposit.share')}
            disabled={address === undefined}
            onClick={() => void share()}
          >
            <Share aria-hidden size={18} />
          </Button>
        )}
        <Button
          className="w-12 shrink-0 !px-0"
          aria-label={t('deposit.save')}
          disabled={qrRef === null}
          onClick={() => void save()}
        >
          <Download aria-hidden size={18} />
        </Button>
        <WholeEnd />
      </div>
      <CopyRefused copy={copying} className="text-center" />
      {unsaved !== null && (
        <p role="alert" className="text-center text-s text-ink-2">
          {t(`problem.${unsaved}.body`)}
        </p>
      )}
    </>
  )
}
