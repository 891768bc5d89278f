'use client'

import { Suspense } from 'react'
import { mayActAs } from '#lib/contract/operate/operators.ts'
import { useAddress } from '../context/address.tsx'
import { useOperator } from '../context/operator.tsx'
import { findPage } from './pages.ts'
import { useConsoleText } from '../context/texts.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

/** The page of the address. A page that is being loaded shows the page before, since the address changes in a transition. */
export function CurrentPage() {
  const { path } = useAddress()
  const { role } = useOperator()
  const { t } = useConsoleText()
  const found = findPage(path)
  if (found === null) return <EmptyState title={t('console.notFound')}>{t('console.notFoundHelp')}</EmptyState>
  const { page, params } = found
  if (!mayActAs(role, page.role))
    return (
      <EmptyState title={t('console.roleNeeded')}>
        {t('console.roleNeededHelp', { role: t(`role.${page.role}`) })}
      </EmptyState>
    )
  return (
    <Suspense fallback={<p className="sr-only">{t('console.loading')}</p>}>
      <page.Page key={path} params={params} />
    </Suspense>
  )
}
