'use client'

import { ConsoleLink } from '../context/address.tsx'
import { pageHref } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'

/** Leads to the list with all of the user's rows. */
export function AllLink({
  list,
  user,
}: {
  readonly list: 'transactions' | 'withdrawals' | 'payouts' | 'quarantine'
  readonly user: string
}) {
  const { t } = useConsoleText()
  return (
    <ConsoleLink
      href={`${pageHref(`/${list}`)}?user=${encodeURIComponent(user)}`}
      className="inline-flex min-h-9 items-center text-s font-semibold text-accent underline-offset-2 hover:underline"
    >
      {t('users.all')}
    </ConsoleLink>
  )
}
