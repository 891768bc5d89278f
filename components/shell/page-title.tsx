'use client'

import { useEffect } from 'react'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { useArrivalText, useCredits, useOnTheWay, useSessionDeposits } from './use-arrivals.ts'
import { useChosenCurrency } from '../currency-picker/chosen-currency.tsx'
import { flowPath } from '../context/flows.ts'
import { useLocation } from '../context/location.tsx'

/** The title of the browser's tab: the flow, or the deposit that somebody who looks elsewhere waits for. */
export function PageTitle() {
  const { id, flows } = useSession()
  const { t } = useTranslations()
  const { path } = useLocation()
  const chosen = useChosenCurrency()
  const text = useArrivalText(chosen.state === 'ready' ? chosen.currency : null)
  const flow = flows.find((one) => flowPath(id, one) === path)
  const [coming] = useOnTheWay()
  const [credited] = useCredits()
  const news = credited
    ? text('deposit.credited', credited)
    : coming
      ? text('deposit.detected', coming)
      : flow && t(`flow.${flow}`)
  const title = news && `${news} · ${t('shell.title')}`
  useEffect(() => {
    if (title) document.title = title
  }, [title])
  return coming ? <Follow /> : null
}

/** Whatever the flow, what is on its way is read again where an event may have been lost. */
function Follow() {
  useSessionDeposits()
  return null
}
