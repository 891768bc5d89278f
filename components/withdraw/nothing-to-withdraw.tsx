'use client'

import { fundedCurrencies } from '#lib/browser/funded-currencies.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import { useNavigation } from '../context/navigation.tsx'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { useBalances } from '../context/use-balances.ts'
import { useChosenCurrency } from '../currency-picker/chosen-currency.tsx'
import { buttonClass } from '../ui/button.tsx'
import { NavLink } from '../ui/nav-link.tsx'
import { Notice } from '../ui/tone.tsx'

/** How many other coins are named; the picker has all. */
const MOST_OTHERS = 2

/** For a balance of zero: the way to a coin that the user has, or to a deposit. */
export function NothingToWithdraw({ currency }: { readonly currency: Currency }) {
  const { t } = useTranslations()
  const { flows } = useSession()
  const { hrefOf, goTo, hrefWithQuery, setQuery } = useNavigation()
  const { data: balances = [] } = useBalances()
  const chosen = useChosenCurrency()
  const { currency_code: code, network } = currency
  const others = chosen.state === 'ready' ? fundedCurrencies(chosen.currencies, balances, currency) : []
  const link = buttonClass('chip', 'text-start')
  return (
    <Notice tone="plain">
      <p>{t('withdraw.nothing', { code, network })}</p>
      <p className="mt-2 flex flex-wrap gap-2 empty:hidden" data-testid="ways-to-funds">
        {others.slice(0, MOST_OTHERS).map((other) => (
          <NavLink
            key={other.id}
            href={hrefWithQuery({ currency: other.id })}
            onGo={() => setQuery({ currency: other.id })}
            className={link}
          >
            {t('withdraw.useOther', { code: other.currency_code, network: other.network })}
          </NavLink>
        ))}
        {flows.includes('deposit') && (
          <NavLink href={hrefOf('deposit')} onGo={() => goTo('deposit')} className={link}>
            {t('withdraw.depositFirst', { code })}
          </NavLink>
        )}
      </p>
    </Notice>
  )
}
