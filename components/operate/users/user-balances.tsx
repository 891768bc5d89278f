'use client'

import type { UserView } from '#lib/contract/operate/users.ts'
import { useConsoleSettings } from '../context/settings.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { AmountText } from '../ui/amount-text.tsx'
import { Nothing, Panel } from './panel.tsx'

/** What the user holds by our books, and what that is worth. */
export function UserBalances({ user: { balances } }: { readonly user: UserView }) {
  const { t, decimal } = useConsoleText()
  const { embedded } = useConsoleSettings()
  return (
    <Panel title={t('users.balances')}>
      {balances.length === 0 ? (
        <Nothing>{t(embedded ? 'users.noBalances' : 'users.merchantKeepsBooks')}</Nothing>
      ) : (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
          {balances.map(({ currency_id, currency_code, network, available, held, overdraft, value }) => (
            <li key={currency_id} className="border-t border-line pt-2.5 first:border-t-0 first:pt-0">
              <p className="flex flex-wrap justify-between gap-x-3">
                <span className="min-w-0 font-semibold">
                  <AmountText amount={available} code={currency_code} network={network} />
                </span>
                {value !== null && (
                  <span translate="no" className="text-ink-2 tabular-nums">
                    {t('users.worth', { usd: decimal(value.available) })}
                  </span>
                )}
              </p>
              <p className="text-ink-2">
                {t('users.held')} <AmountText amount={held} code={currency_code} />
              </p>
              {overdraft !== null && <p className="font-semibold text-bad">{t('users.overdraft')}</p>}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
