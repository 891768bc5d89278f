'use client'

import { useEffect } from 'react'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { useArrivalText, useCredits, useOnTheWay, useSessionDeposits } from './use-arrivals.ts'
import { useChosenCurrency } from '../currency-picker/chosen-currency.tsx'
import { flowPath } from '../context/flows.ts'
import { useLocation } from '../context/location.tsx'

/** The title of the browser's tab: the flow, or an arriving deposit for a user who looks at another tab. */
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

/** Mounts the deposits query in every flow, so that a deposit on its way is read again if an event may be lost. */
function Follow() {
  useSessionDeposits()
  return null
}
