'use client'

import ChevronDown from 'lucide-react/icons/chevron-down'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import type { Balance } from '#lib/contract/cashier.ts'
import { add, canonical, isDecimal, isPositive, type Decimal } from '#lib/contract/money.ts'
import { Amount } from '../ui/amount.tsx'
import { optionalPart } from '../ui/lazy-part.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { WholeEnd } from '../ui/whole-end.tsx'
import { ArrivalLine } from './arrival-line.tsx'
import { useBalance } from '../context/use-balances.ts'
import { useChosenCurrency } from '../currency-picker/chosen-currency.tsx'
import { CurrencyForm } from '../currency-picker/currency-links.tsx'
import { useCurrencyPicker } from '../currency-picker/currency-picker.tsx'
import { useFrame, useInFrame } from './frame.tsx'
import { useSession } from '../context/session.tsx'
import { useNameOnNetwork } from '../context/use-name-on-network.ts'
import { useTranslations } from '../context/translations.tsx'

const BalanceValue = optionalPart(() => import('../expectations/balance-value.tsx'))

const ICON_BUTTON = 'grid size-11 shrink-0 place-items-center rounded-card text-ink-2 hover:bg-sunken'

export function Header() {
  const { showsBalances } = useSession()
  return (
    // If the merchant keeps the balances, the header may be empty.
    <header className="shown-whole ps-5 pe-3 pt-4 has-[>div>p,>div>div>*,>div>a,>div>button]:min-h-header has-[>div>p,>div>div>*,>div>a,>div>button]:pb-3">
      <AccountLabel />
      {/* The buttons stay on one line, whether or not there is text above or below the balance. */}
      <div className="flex items-center gap-1">
        <div className="min-w-0 grow">{showsBalances && <BalanceLine />}</div>
        <LeaveButton />
      </div>
      {showsBalances && <ArrivalLine />}
      <WholeEnd />
    </header>
  )
}

/** Names the account outside a frame; in a frame the merchant's page does. */
function AccountLabel() {
  const { accountLabel, framed } = useSession()
  const inFrame = useInFrame()
  const [renderedInFrame] = useState(framed)
  if (accountLabel === null || renderedInFrame || inFrame) return null
  return (
    // As wide as the name, so that a name of the other direction also starts at the page's start.
    <div className="flex">
      <p className="truncate text-xs text-ink-2" dir="auto" data-testid="account-label">
        {accountLabel}
      </p>
    </div>
  )
}

/** The balance of the chosen currency, and a button to choose another currency. */
function BalanceLine() {
  const { t } = useTranslations()
  const nameOnNetwork = useNameOnNetwork()
  const chosen = useChosenCurrency()
  const currency = chosen.state === 'ready' ? chosen.currency : null
  const balance = useBalance(currency)
  const { open, preload } = useCurrencyPicker()
  const { showsValues } = useSession()
  if (chosen.state === 'empty' || chosen.state === 'problem') return null
  if (!currency || !balance) return <BalanceSkeleton />
  const { currency_code: code, network } = currency
  return (
    <div className="flex items-center gap-1">
      <div className="@container min-w-0 grow" data-testid="balance">
        <p className="text-xs text-ink-2">{t('shell.availableOf', { currency: nameOnNetwork(code, network) })}</p>
        <div className="grid grid-cols-[minmax(0,auto)_minmax(0,1fr)] items-baseline">
          <p className="text-xl leading-tight font-semibold tracking-tight">
            <bdi dir="ltr" translate="no">
              <Amount value={balance.available} short />{' '}
              <span className="text-m font-medium tracking-normal text-ink-3">{code}</span>
            </bdi>
          </p>
          {showsValues && <BalanceValue soon={false} amount={balance.available} of={{ code, network }} />}
        </div>
        <Reserved balance={balance} code={code} />
      </div>
      <CurrencyForm>
        <button
          type="submit"
          aria-label={t('shell.switchCurrency')}
          aria-haspopup="dialog"
          onClick={(event) => {
            event.preventDefault()
            open()
          }}
          onPointerEnter={preload}
          onFocus={preload}
          className={ICON_BUTTON}
        >
          <ChevronDown aria-hidden size={18} />
        </button>
      </CurrencyForm>
    </div>
  )
}

/** The amount that open withdrawals hold, and the total with it. */
function Reserved({
  balance: { available, held },
  code,
}: {
  readonly balance: Pick<Balance, 'available' | 'held'>
  readonly code: string
}) {
  const { t, shortAmount } = useTranslations()
  if (!isDecimal(held) || !isPositive(held) || !isDecimal(available)) return null
  // A line may end before the code: where both do not fit, a letter would go to the next one.
  const written = (amount: Decimal): string => `${shortAmount(amount)} ${code}`
  return (
    <p className="text-xs text-ink-2" data-testid="reserved">
      {t('shell.reserved', { amount: written(held), total: written(canonical(add(available, held))) })}
    </p>
  )
}

const BalanceSkeleton = () => (
  <>
    <Skeleton className="mb-1.5 h-3 w-24" />
    <Skeleton className="h-6 w-40" />
  </>
)

/** In a frame it asks the merchant's page to close the cashier; outside a frame it links to the return URL. */
function LeaveButton() {
  const { t } = useTranslations()
  const { returnUrl, merchantName, framed } = useSession()
  const frame = useFrame()
  const inFrame = useInFrame()
  // Only the first request of the document has the header by which the server knows of the frame.
  const [renderedInFrame] = useState(framed)
  if (renderedInFrame || inFrame) {
    return (
      <button
        type="button"
        aria-label={t('shell.close')}
        onClick={() => frame?.send({ type: 'close' })}
        className={ICON_BUTTON}
      >
        <X aria-hidden size={20} />
      </button>
    )
  }
  if (returnUrl === null) return null
  return (
    <a
      href={returnUrl}
      aria-label={merchantName === undefined ? t('shell.close') : t('site.close', { site: merchantName })}
      className={ICON_BUTTON}
    >
      <X aria-hidden size={20} />
    </a>
  )
}
