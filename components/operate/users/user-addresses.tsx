'use client'

import type { UserView } from '#lib/contract/operate/users.ts'
import { useConsoleText } from '../context/texts.tsx'
import { IdText } from '../ui/id-text.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { Nothing, Panel } from './panel.tsx'

/** Where the user's deposits come, and where their withdrawals went. */
export function UserAddresses({ user: { addresses, sent_to } }: { readonly user: UserView }) {
  const { t } = useConsoleText()
  return (
    <Panel title={t('users.addresses')}>
      <h3 className="text-xs font-semibold text-ink-2">{t('users.depositAddresses')}</h3>
      {addresses.length === 0 ? (
        <Nothing>{t('users.noDepositAddresses')}</Nothing>
      ) : (
        <ul className="grid gap-1">
          {addresses.map(({ address, currency, network }) => (
            <li key={`${currency} ${network} ${address}`}>
              <span className="text-ink-2">
                {currency} {network}
              </span>{' '}
              <IdText id={address} name={t('users.address')} />
            </li>
          ))}
        </ul>
      )}
      <h3 className="mt-3 text-xs font-semibold text-ink-2">{t('users.sentTo')}</h3>
      {sent_to.length === 0 ? (
        <Nothing>{t('users.noSentTo')}</Nothing>
      ) : (
        <ul className="grid gap-1">
          {sent_to.map(({ address, network, count, last_at }) => (
            <li key={`${network} ${address}`}>
              <IdText id={address} name={t('users.address')} />{' '}
              <span className="text-ink-2">
                {network} · {t('users.sentTimes', { count })} · <TimeText iso={last_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
