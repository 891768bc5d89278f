'use client'

import { Notice } from '#components/ui/tone.tsx'
import { decimal, isZero } from '#lib/contract/money.ts'
import { recordHref } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'
import { AmountText } from '../ui/amount-text.tsx'
import { IdText } from '../ui/id-text.tsx'
import { PageHead } from '../ui/page-head.tsx'
import type { Receipt } from './erase-user.tsx'
import { Nothing, Panel } from './panel.tsx'

/** What was erased, and what was kept of it. */
export function ErasureReceipt({ user, receipt }: { readonly user: string; readonly receipt: Receipt }) {
  const { t } = useConsoleText()
  const { pseudonym, quarantined, balances } = receipt
  const left = balances.filter(({ available }) => !isZero(decimal(available)))
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PageHead title={t('users.erased', { user })} />
      <Notice tone="ok" role="status">
        <p>{t('users.erasedHelp')}</p>
      </Notice>
      <Panel title={t('users.kept')}>
        <p>
          {t('users.keptUnder')}{' '}
          <IdText id={pseudonym} name={t('users.pseudonym')} href={recordHref('users', pseudonym)} />
        </p>
        {left.length === 0 ? (
          <Nothing>{t('users.keptNoMoney')}</Nothing>
        ) : (
          <ul className="mt-1">
            {left.map(({ currency_id, currency_code, network, available }) => (
              <li key={currency_id}>
                <AmountText amount={available} code={currency_code} network={network} />
              </li>
            ))}
          </ul>
        )}
        {quarantined > 0 && <p className="mt-1">{t('users.keptQuarantined', { count: quarantined })}</p>}
      </Panel>
    </article>
  )
}
